import { Extension, mergeAttributes, Node } from '@tiptap/core'

import { fieldsOfKind } from '../page/kinds.ts'
import { kindAttributes, originIn } from './attributes.ts'

const pageFields = Object.entries(fieldsOfKind('page'))

/** The whole page: a title, then any blocks. The document's attributes hold the page's style. */
export const PageNode = Node.create({
  name: 'doc',
  topNode: true,
  content: 'title (block | layout | area)+',
  addAttributes: () => ({
    origin: { default: null },
    ...Object.fromEntries(pageFields.map(([name, { initial }]) => [name, { default: initial }])),
  }),
})

export const TitleNode = Node.create({
  name: 'title',
  content: 'text*',
  marks: '',
  defining: true,
  isolating: false,
  selectable: false,
  parseHTML: () => [{ tag: 'h1[data-title]' }],
  renderHTML: ({ HTMLAttributes }) => ['h1', mergeAttributes(HTMLAttributes, { 'data-title': '' }), 0],
})

export const SpacerNode = Node.create({
  name: 'spacer',
  group: 'block',
  atom: true,
  draggable: true,
  parseHTML: () => [{ tag: 'div.folio-space' }],
  renderHTML: ({ HTMLAttributes }) => ['div', mergeAttributes(HTMLAttributes, { class: 'folio-space' })],
})

export const ColumnsNode = Node.create({
  name: 'columns',
  group: 'layout',
  content: 'column+',
  isolating: true,
  parseHTML: () => [{ tag: 'div.folio-columns' }],
  renderHTML: ({ HTMLAttributes }) => ['div', mergeAttributes(HTMLAttributes, { class: 'folio-columns' }), 0],
})

export const ColumnNode = Node.create({
  name: 'column',
  content: 'block+',
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-column]' }],
  renderHTML: ({ HTMLAttributes }) => ['div', mergeAttributes(HTMLAttributes, { 'data-column': '' }), 0],
})

export const TableNode = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: ({ HTMLAttributes }) => ['table', HTMLAttributes, ['tbody', 0]],
})

export const TableRowNode = Node.create({
  name: 'tableRow',
  content: 'tableCell+',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: ({ HTMLAttributes }) => ['tr', HTMLAttributes, 0],
})

const spanAttribute = (name: 'colspan' | 'rowspan') => ({
  default: 1,
  parseHTML: (element: HTMLElement) => {
    const count = Number(element.getAttribute(name) ?? 1)
    return fieldsOfKind('tableCell')[name]?.accepts(count) ? count : 1
  },
  renderHTML: (attributes: Record<string, unknown>) => (attributes[name] === 1 ? {} : { [name]: attributes[name] }),
})

/** A cell; its tag says whether it is a row or column heading. */
export const TableCellNode = Node.create({
  name: 'tableCell',
  content: 'block+',
  isolating: true,
  addAttributes: () => ({
    role: {
      default: 'data',
      parseHTML: (element: HTMLElement) => (element.localName === 'th' ? 'header' : 'data'),
      renderHTML: () => ({}),
    },
    colspan: spanAttribute('colspan'),
    rowspan: spanAttribute('rowspan'),
  }),
  parseHTML: () => [{ tag: 'td' }, { tag: 'th' }],
  renderHTML: ({ HTMLAttributes, node }) => [node.attrs['role'] === 'header' ? 'th' : 'td', HTMLAttributes, 0],
})

export const SectionNode = Node.create({
  name: 'section',
  group: 'area',
  content: '(block | layout)+',
  defining: true,
  parseHTML: () => [{ tag: 'section.folio-section' }],
  renderHTML: ({ HTMLAttributes }) => ['section', mergeAttributes(HTMLAttributes, { class: 'folio-section' }), 0],
})

/** A block this editor does not support, shown as a placeholder with its name. */
export const ForeignNode = Node.create({
  name: 'foreign',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    origin: {
      default: 'null',
      parseHTML: (element: HTMLElement) => originIn(element, () => true) ?? 'null',
      renderHTML: ({ origin }) => ({ 'data-origin': origin as string }),
    },
  }),
  parseHTML: () => [{ tag: 'div[data-foreign]' }],
  renderHTML: ({ HTMLAttributes, node }) => [
    'div',
    mergeAttributes(HTMLAttributes, { 'data-foreign': '' }),
    `A block from another editor${nameOf(String(node.attrs['origin']))}. It is saved unchanged.`,
  ],
})

function nameOf(origin: string): string {
  const type = /"type"\s*:\s*"([^"\\]{1,40})"/.exec(origin)?.[1]
  return type === undefined ? '' : ` (${type})`
}

/** Adds the attributes of the field table to the nodes of every kind. */
export const KindAttributes = Extension.create({ name: 'kindAttributes', addGlobalAttributes: () => kindAttributes })
