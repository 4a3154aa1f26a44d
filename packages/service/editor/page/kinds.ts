import type { Field } from './fields.ts'
import { colour, fileName, fontName, listStart, oneOf, pixels, span, words } from './fields.ts'

/** Kinds allowed in text, in a section, and in a column. */
const flow = [
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'blockquote',
  'horizontalRule',
  'image',
  'video',
  'spacer',
  'table',
  'foreign',
] as const

const textFields = { align: oneOf('start', 'center', 'end'), font: fontName }

const mediaFields = {
  file: fileName,
  caption: words,
  size: oneOf('text', 'wide', 'full'),
  width: pixels,
  height: pixels,
}

interface Kind {
  /** `text`, nothing, or blocks of these kinds. */
  readonly holds: 'text' | 'nothing' | readonly string[]
  readonly fields: Readonly<Record<string, Field<unknown>>>
}

/**
 * All kinds of blocks with their properties. Both the state format and the editor's schema derive from this table. The
 * names are the `type`s in `vms_json`.
 */
export const kinds = {
  paragraph: { holds: 'text', fields: textFields },
  heading: { holds: 'text', fields: { level: oneOf(2, 3, 4), ...textFields } },
  bulletList: { holds: ['listItem'], fields: {} },
  orderedList: { holds: ['listItem'], fields: { start: listStart } },
  listItem: { holds: flow, fields: {} },
  blockquote: { holds: flow, fields: {} },
  horizontalRule: { holds: 'nothing', fields: {} },
  image: { holds: 'nothing', fields: { ...mediaFields, alt: words } },
  video: { holds: 'nothing', fields: { ...mediaFields, label: words } },
  table: { holds: ['tableRow'], fields: {} },
  tableRow: { holds: ['tableCell'], fields: {} },
  tableCell: { holds: flow, fields: { role: oneOf('data', 'header'), colspan: span, rowspan: span } },
  spacer: { holds: 'nothing', fields: { size: oneOf('medium', 'small', 'large') } },
  columns: { holds: ['column'], fields: {} },
  column: { holds: flow, fields: {} },
  section: {
    holds: [...flow, 'columns'],
    fields: { background: colour, padding: oneOf('medium', 'none', 'small', 'large') },
  },
  /** The page itself: the member `page` of the state. */
  page: {
    holds: [...flow, 'columns', 'section'],
    fields: { headingFont: fontName, textFont: fontName, background: colour },
  },
} as const satisfies Readonly<Record<string, Kind>>

export type KindName = keyof typeof kinds

export const isKindName = (name: unknown): name is KindName => typeof name === 'string' && Object.hasOwn(kinds, name)

/** The properties of a kind, with the types of their values. */
export type FieldsOf<Name extends KindName> = {
  readonly [Key in keyof (typeof kinds)[Name]['fields']]: (typeof kinds)[Name]['fields'][Key] extends Field<infer Value>
    ? Value
    : never
}

/** The fields of one kind, for iterating. */
export const fieldsOfKind = (name: KindName): Readonly<Record<string, Field<unknown>>> => kinds[name].fields
