import { percentDecoded } from '../../protocol/public-url.ts'
import type { Finder } from '../../text/references/finder.ts'
import type { LinkRewriter } from '../../text/references/html.ts'
import { rewriteHtml } from '../../text/references/html.ts'
import type { WordsReader } from '../../text/html/treeless.ts'

/** What a file's address can hold behind its folder (public-url.ts); nothing of it needs an escape anywhere. */
const tail = '/(?:media/[0-9a-f]{32}|fonts)/[A-Za-z0-9._~%/-]+'

const quoted = (text: string): string => text.replace(/[^\w]/g, '\\$&')

/** Finds the addresses of files that this library serves or served under one of these bases. */
export function ownUrls(bases: readonly string[]): Finder {
  if (bases.length === 0) return () => []
  const heads = new RegExp(bases.map(quoted).join('|'))
  const whole = new RegExp(`(?:${heads.source})${tail}`, 'g')
  const find = (text: string) =>
    [...text.matchAll(whole)].map((match) => {
      // A full stop behind an address ends the sentence around it.
      const name = match[0].replace(/\.+$/, '')
      return { start: match.index, end: match.index + name.length, name, replacement: null }
    })
  return Object.assign(find, { heads })
}

/**
 * The addresses of such files that a page refers to, in every place where a reference counts and in every encoding. Its
 * words are shown to `words` on the way, and its links to `onLink`.
 */
export function ownUrlsIn(
  html: string,
  bases: readonly string[],
  words: WordsReader | null = null,
  onLink: LinkRewriter | null = null,
): readonly string[] {
  return rewriteHtml(html, ownUrls(bases), words, onLink).missing.filter((url) => percentDecoded(url) !== null)
}
