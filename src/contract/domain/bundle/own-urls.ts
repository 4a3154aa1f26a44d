import { mediaFolder, percentDecoded } from '../../protocol/public-url.ts'
import type { Finder } from '../../text/references/finder.ts'
import type { LinkRewriter } from '../../text/references/html.ts'
import { rewriteCss } from '../../text/references/css.ts'
import { rewriteHtml } from '../../text/references/html.ts'
import type { WordsReader } from '../../text/html/treeless.ts'

/** A file's path (public-url.ts). None of its characters needs an escape anywhere. */
const path = `(?:${mediaFolder}|/fonts/)[A-Za-z0-9._~%/-]+`

const quoted = (text: string): string => text.replace(/[^\w]/g, '\\$&')

/** Finds URLs of files that this library serves or once served below one of these bases. */
export function ownUrls(bases: readonly string[]): Finder {
  if (bases.length === 0) return () => []
  const heads = new RegExp(bases.map(quoted).join('|'))
  const whole = new RegExp(`(?:${heads.source})${path}`, 'g')
  const find = (text: string) =>
    [...text.matchAll(whole)].map((match) => {
      // A full stop after an address ends the surrounding sentence.
      const name = match[0].replace(/\.+$/, '')
      return { start: match.index, end: match.index + name.length, name, replacement: null }
    })
  return Object.assign(find, { heads })
}

/**
 * The URLs of such files in a page, in every place where a reference counts and in every encoding. Passes the page's text to
 * `words` and its links to `onLink`.
 */
export function ownUrlsIn(
  html: string,
  bases: readonly string[],
  words: WordsReader | null = null,
  onLink: LinkRewriter | null = null,
): readonly string[] {
  return rewriteHtml(html, ownUrls(bases), words, onLink).missing.filter((url) => percentDecoded(url) !== null)
}

/** The URLs of such files in a style sheet. */
export const ownUrlsInCss = (css: string, bases: readonly string[]): readonly string[] =>
  rewriteCss(css, ownUrls(bases)).missing.filter((url) => percentDecoded(url) !== null)
