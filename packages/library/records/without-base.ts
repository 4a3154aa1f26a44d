import { createAddressReader, firstBase, restOfAddress, rewriteHtml } from '@galley/wire'
import type { Finder } from '@galley/wire'

import { mayHaveBase } from './media-references.ts'

/** An address with a scheme or a host of its own, and one within the page. */
const isAbsolute = /^(?:[a-z][a-z0-9+.-]*:|[\\/]{2}|$)/i

/** The page with absolute URLs where relative addresses lead to media files only because of its `<base>`. */
export function withoutBase(html: string): string {
  const base = mayHaveBase(html) ? baseOf(html) : null
  if (base === null) return html
  const read = createAddressReader(null, base)
  const find: Finder = (text, place = 'text') =>
    place === 'text'
      ? []
      : [...text.matchAll(place === 'address' ? /\S[^]*/g : /\S+/g)].flatMap(({ 0: whole, index: start }) => {
          const name = restOfAddress(whole, 0, place)
          const replacement = isAbsolute.test(name) ? null : read(name)
          return replacement === null ? [] : [{ start, end: start + name.length, name, replacement }]
        })
  return rewriteHtml(html, find).text
}

/** The address in the first `<base>` of a page, if that has a host. */
function baseOf(html: string): string | null {
  const base = firstBase(html) ?? ''
  const [onPage, elsewhere] = ['http://page.invalid/', 'http://other.invalid/']
  if (!URL.canParse(base, onPage)) return null
  const { href } = new URL(base, onPage)
  return href === new URL(base, elsewhere).href ? href : null
}
