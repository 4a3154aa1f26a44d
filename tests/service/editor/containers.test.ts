import type { EditorState, Transaction } from '@tiptap/pm/state'
import { describe, expect, test } from 'vitest'

import { addColumn, mergeLastColumn } from '../../../packages/service/editor/prose/columns.ts'
import {
  emptyColumns,
  emptySection,
  insertBlock,
  insertRangeAt,
} from '../../../packages/service/editor/prose/insert-block.ts'
import { unwrapSection, setBackground, sectionAround } from '../../../packages/service/editor/prose/section.ts'
import {
  columns,
  cursorIn,
  cursorInEmpty,
  find,
  findKind,
  p,
  section,
  select,
  shape,
  space,
  stateOf,
} from './support/shapes.ts'

function shapeAfter(tr: Transaction | null): string | null {
  tr?.doc.check()
  return tr === null ? null : shape(tr.doc)
}

describe('a block is inserted', () => {
  test('over the empty paragraph with the cursor, else behind the block with it', () => {
    expect(shapeAfter(insertBlock(cursorInEmpty(stateOf(p('a'), p(''), p('b'))), space))).toBe('a-b')
    expect(shapeAfter(insertBlock(cursorIn(stateOf(p('a'), p('b')), 'a'), space))).toBe('a-b')
    expect(shapeAfter(insertBlock(stateOf(p('a')), space))).toBe('-a')
    expect(shapeAfter(insertBlock(select(stateOf(space, p('a')), 2), p('x')))).toBe('-xa')
  })

  test('within columns and sections, or after blocks that cannot contain it', () => {
    const inColumn = cursorIn(stateOf(columns([p('a')], [p('b')]), p('c')), 'a')
    expect(shapeAfter(insertBlock(inColumn, space))).toBe('[a-|b]c')
    expect(shapeAfter(insertBlock(inColumn, emptyColumns(2)))).toBe('[a|b][_|_]c')
    expect(shapeAfter(insertBlock(inColumn, emptySection(null)))).toBe('[a|b](_)c')
    const inSection = cursorIn(stateOf(section(p('a'), p('b'))), 'a')
    expect(shapeAfter(insertBlock(inSection, emptyColumns(2)))).toBe('(a[_|_]b)')
    expect(shapeAfter(insertBlock(inSection, emptySection(null)))).toBe('(ab)(_)')
    const quoted = cursorIn(stateOf({ type: 'blockquote', content: [p('a')] }, p('b')), 'a')
    expect(shapeAfter(insertBlock(quoted, space))).toBe('a-b')
  })

  test('by dropping: before or behind the nearer half of a block, over an empty one, never before the title', () => {
    const state = stateOf(p('abcd'), p(''))
    const text = find(state, (node) => node.isText)
    const place = (pos: number) => insertRangeAt(state, pos)
    expect(place(text)).toEqual({ from: text - 1, to: text - 1 })
    expect(place(text + 3)).toEqual({ from: text + 5, to: text + 5 })
    expect(place(text + 6)).toEqual({ from: text + 5, to: text + 7 })
    expect(place(1)).toEqual({ from: 2, to: 2 })
  })
})

describe('columns', () => {
  const afterMerging = (state: EditorState) => shapeAfter(mergeLastColumn(state, findKind(state, 'columns')))

  test('one is added, and the last ones are merged until there are none', () => {
    const state = stateOf(columns([p('a')], [p('b')]))
    const more = state.apply(addColumn(state, findKind(state, 'columns')))
    expect(shape(more.doc)).toBe('[a|b|_]')
    expect(afterMerging(more)).toBe('[a|b_]')
    expect(afterMerging(state)).toBe('ab')
  })
})

describe('a background', () => {
  const background = (state: EditorState | null) => state && sectionAround(state)?.node.attrs['background']

  test('wraps the selection in a section, and then changes that', () => {
    const state = cursorIn(stateOf(p('a'), p('b'), p('c')), 'b', 'c')
    const tr = setBackground(state, '#000000')
    expect(shapeAfter(tr)).toBe('a(bc)')
    const coloured = tr && state.apply(tr)
    expect(background(coloured)).toBe('#000000')
    const again = coloured && setBackground(coloured, '#ffffff')
    expect(shapeAfter(again)).toBe('a(bc)')
    expect(background(again && coloured ? coloured.apply(again) : null)).toBe('#ffffff')
  })

  test('wraps a selected block, which stays selected', () => {
    const state = select(stateOf(p('a'), space), 5)
    const tr = setBackground(state, '#000000')
    expect(shapeAfter(tr)).toBe('a(-)')
    expect(tr?.selection.from).toBe(6)
  })

  test('is removed from a section with the section, whose content stays', () => {
    const state = stateOf(p('a'), section(p('b'), space))
    expect(shapeAfter(unwrapSection(state, findKind(state, 'section')))).toBe('ab-')
  })

  test('is not for the title, and not for sections within sections', () => {
    expect(setBackground(stateOf(p('a')), '#000000')).toBeNull()
    expect(setBackground(cursorIn(stateOf(p('a'), section(p('b')), p('c')), 'a', 'c'), '#000000')).toBeNull()
  })
})
