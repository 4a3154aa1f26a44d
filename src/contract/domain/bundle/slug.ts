import { inLatin } from './transliteration.ts'

const maxChars = 60

/**
 * Lower-case ASCII letters, digits and single inner hyphens, at most `limit` characters; empty if the text has none. Such a
 * name is the same on every file system: it has no upper case, no composed characters, no dot and no reserved characters.
 */
export const plainName = (text: string, limit = maxChars): string =>
  inLatin(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, limit)
    .replace(/-$/, '')
