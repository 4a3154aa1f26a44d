import { inLatin } from './transliteration.ts'

const maxChars = 60

/**
 * Lower-case ASCII letters, digits and single inner hyphens, at most `limit` characters; empty when the text has none.
 * Such a name means the same on every file system: no case to fold, no composed form, no dot, no reserved sign.
 */
export const plainName = (text: string, limit = maxChars): string =>
  inLatin(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, limit)
    .replace(/-$/, '')
