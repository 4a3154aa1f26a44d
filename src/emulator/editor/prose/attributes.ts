import type { Attribute, GlobalAttributes } from '@tiptap/core'

import type { Field } from '../page/fields.ts'
import type { KindName } from '../page/kinds.ts'
import { fieldsOfKind, kinds } from '../page/kinds.ts'
import { lookOf } from '../page/looks.ts'

/** The `data-` name under which a field travels in the clipboard. */
const dataName = (field: string): string => `data-${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** A field of the table as an attribute of the editor's nodes: shown by its look, and kept by copying. */
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

/** What the state says of the block beside what this editor knows. */
const origin = {
  default: null,
  parseHTML: (element: HTMLElement) => element.getAttribute('data-origin'),
  renderHTML: (attributes: Record<string, unknown>) =>
    attributes['origin'] == null ? {} : { 'data-origin': attributes['origin'] },
} as const

/** Fields that HTML has a word for: a heading's level and a cell's role are its tag. */
const inHtml: ReadonlySet<string> = new Set(['level', 'role', 'colspan', 'rowspan'])

/** The attributes of every kind of the table. */
export const kindAttributes: GlobalAttributes = (Object.keys(kinds) as KindName[])
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
