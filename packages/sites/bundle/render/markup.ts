/** Markup that is inserted into a page unchanged. Every other value is text and is escaped. */
export class Markup {
  readonly #markup: string
  /** Whether a template has printed it. */
  isUsed = false

  constructor(markup: string) {
    this.#markup = markup
  }

  print(): string {
    this.isUsed = true
    return this.#markup
  }
}

/** Values that a template can print. Objects convert themselves to text. */
export interface Printable {
  toString(): string
}

export const textOf = (value: Printable | null | undefined): string =>
  Array.isArray(value) ? value.map(textOf).join('') : (value?.toString() ?? '')

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For text between tags and for quoted attributes. */
export const escapeText = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

/** JSON for the inside of a script element: nothing in it ends the element or opens a comment. */
export const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`)

export const linkTag = (rel: string, href: string, attributes = ''): string =>
  `<link rel="${rel}" href="${escapeText(href)}"${attributes}>`

export const metaTag = (key: 'name' | 'property', name: string, content: string): string =>
  `<meta ${key}="${name}" content="${escapeText(content)}">`

/** Characters that HTML documents may not contain. Browsers do not show them. */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\0-\u0008\u000B\u000E-\u001F\u007F-\u009F]|\p{Noncharacter_Code_Point}/gu

/**
 * The same in UTF-16 units, and a few characters more. Without the flag for code points, a text is searched five times as fast;
 * almost none has such a character.
 */
// oxlint-disable-next-line no-control-regex
const forbiddenPerhaps = /[\0-\u0008\u000B\u000E-\u001F\u007F-\u009F\uFDD0-\uFDEF\uDFFE-\uDFFF\uFFFE\uFFFF]/

/** HTML without the characters that are forbidden in it. */
export const withoutForbidden = (html: string): string =>
  forbiddenPerhaps.test(html) ? html.replace(forbidden, '') : html
