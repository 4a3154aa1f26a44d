import { keysIn } from '@galley/wire'
import type { Attribute, GlobalAttributes } from '@tiptap/core'

import type { Field } from '../page/fields.ts'
import { fieldsOfKind, kinds } from '../page/kinds.ts'
import { lookOf } from '../page/looks.ts'

/** The `data-` attribute that carries a field in the clipboard. */
const dataName = (field: string): string => `data-${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** A field as an attribute of editor nodes: rendered by its look, and kept when copied. */
function attributeOf(name: string, field: Field<unknown>): Attribute {
  return {
    default: field.initial,
    parseHTML(element) {
      const written = element.getAttribute(dataName(name))
      const read = [written, Number(written)].find((value) => value !== null && field.accepts(value))
      return written === null || read === undefined ? field.initial : read
    },
    renderHTML(attributes) {
      const value: unknown = attributes[name]
      return value === field.initial ? lookOf(name, value) : { [dataName(name)]: value, ...lookOf(name, value) }
    },
  }
}

/** The JSON text in an element's `data-origin` whose value fits; null for what is none, such as an attribute of another website. */
export function originIn(
  element: Pick<HTMLElement, 'getAttribute'>,
  fits: (value: unknown) => boolean = isObject,
): string | null {
  const written = element.getAttribute('data-origin')
  try {
    return fits(JSON.parse(written ?? '')) ? written : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The block's original state text, including members this editor does not know. */
const origin = {
  default: null,
  parseHTML: (element: HTMLElement) => originIn(element),
  renderHTML: (attributes: Record<string, unknown>) =>
    attributes['origin'] == null ? {} : { 'data-origin': attributes['origin'] },
} as const

/** Fields that the HTML has already: a heading's level, a list's first number, a cell's role and spans. */
const inHtml: ReadonlySet<string> = new Set(['level', 'start', 'role', 'colspan', 'rowspan'])

/** The attributes of every kind. */
export const kindAttributes: GlobalAttributes = keysIn(kinds)
  .filter((name) => name !== 'page')
  .map((name) => ({
    types: [name],
    attributes: {
      origin,
      ...Object.fromEntries(
        Object.entries(fieldsOfKind(name))
          .filter(([field]) => !inHtml.has(field))
          .map(([field, of]) => [field, attributeOf(field, of)]),
      ),
    },
  }))
