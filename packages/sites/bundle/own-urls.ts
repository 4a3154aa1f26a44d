import { createAddressReader, restOfAddress, rewriteCss, rewriteHtml } from '@galley/wire'
import type { Finder, Found, LinkRewriter, TextKind, WordsReader } from '@galley/wire'

const quoted = (text: string): string => text.replace(/[^\w]/g, '\\$&')

/** The parts of a text that can be an address as a whole; other texts may hold some. */
const wholes: Readonly<Record<TextKind, RegExp>> = { address: /\S[^]*/g, candidates: /\S+/g, text: /[^]+/g }

/**
 * Finds URLs below these bases of files that this library serves or once served, in every spelling that a browser
 * resolves to one of them.
 */
export function ownUrls(bases: readonly string[]): Finder {
  const usable = bases.filter((base) => URL.canParse(base))
  if (usable.length === 0) return () => []
  const read = createAddressReader(usable)
  const hosts = [...new Set(usable.map((base) => quoted(new URL(base).hostname)))].join('|')
  // None of these characters needs an escape anywhere. A full stop after an address ends the surrounding sentence.
  const inText = new RegExp(`(?:https?:)?//(?:${hosts})(?::\\d*)?/[A-Za-z0-9._~%/-]*[A-Za-z0-9_~%/-]`, 'gi')
  const find = (text: string, place: TextKind = 'text'): readonly Found[] => {
    const found: Found[] = []
    const add = (start: number, name: string): boolean => {
      if (read(name) === null) return false
      found.push({ start, end: start + name.length, name, replacement: null })
      return true
    }
    for (const { 0: whole, index } of text.matchAll(wholes[place])) {
      const address = place === 'text' ? '' : restOfAddress(whole, 0, place)
      // Browsers remove line breaks from addresses; they are also read without them.
      const from = !/[\t\n\r]/.test(address) && add(index, address) ? address.length : 0
      for (const { 0: name, index: at } of whole.slice(from).matchAll(inText)) add(index + from + at, name)
    }
    return found
  }
  // A host that is not in ASCII may be written in more ways than can be searched for.
  const heads = /xn--/.test(hosts) ? null : new RegExp(`[\\\\/:@](?:${hosts})(?=[:\\\\/])`, 'i')
  return Object.assign(find, { ...(heads && { heads }), mentions: new RegExp(usable.map(quoted).join('|')) })
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
  return rewriteHtml(html, ownUrls(bases), words, onLink).missing
}

/** The URLs of such files in a style sheet. */
export const ownUrlsInCss = (css: string, bases: readonly string[]): readonly string[] =>
  rewriteCss(css, ownUrls(bases)).missing
