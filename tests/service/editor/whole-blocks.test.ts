import type { EditorState } from '@tiptap/pm/state'
import { NodeSelection } from '@tiptap/pm/state'
import { describe, expect, test } from 'vitest'

import { deleteBlocks, moveBlocks, selectAround } from '../../../packages/service/editor/prose/whole-blocks.ts'
import { columns, cursorIn, findKind, p, section, select, shape, space, stateOf } from './support/shapes.ts'

/** Moves until nothing changes. Returns every shape on the way. */
function walk(state: EditorState, direction: 'up' | 'down'): readonly string[] {
  const shapes: string[] = []
  for (let current = state; shapes.length < 20;) {
    const moved = moveBlocks(current, direction)
    if (moved === null) return shapes
    current = current.apply(moved)
    current.doc.check()
    shapes.push(shape(current.doc))
  }
  return shapes
}

describe('moving a block', () => {
  test('moves past its neighbours to the ends of the page, but not above the title', () => {
    const state = cursorIn(stateOf(p('a'), p('b'), space, p('c')), 'b')
    expect(walk(state, 'up')).toEqual(['ba-c'])
    expect(walk(state, 'down')).toEqual(['a-bc', 'a-cb'])
  })

  test('moves out of columns through every column before or after', () => {
    const state = cursorIn(stateOf(p('x'), columns([p('a')], [p('b')], [p('c')]), p('y')), 'b')
    expect(walk(state, 'up')).toEqual(['x[ab|_|c]y', 'x[ba|_|c]y', 'xb[a|_|c]y', 'bx[a|_|c]y'])
    expect(walk(state, 'down')).toEqual(['x[a|_|bc]y', 'x[a|_|cb]y', 'x[a|_|c]by', 'x[a|_|c]yb'])
  })

  test('moves out of a section, which is removed with its last block', () => {
    expect(walk(cursorIn(stateOf(p('x'), section(p('a'), p('b')), p('y')), 'b'), 'down')).toEqual(['x(a)by', 'x(a)yb'])
    expect(walk(cursorIn(stateOf(p('x'), section(p('a')), p('y')), 'a'), 'down')).toEqual(['xay', 'xya'])
    expect(walk(cursorIn(stateOf(p('x'), section(p('a')), p('y')), 'a'), 'up')).toEqual(['xay', 'axy'])
  })

  test('moves all selected blocks, and whole columns if they are selected', () => {
    expect(walk(cursorIn(stateOf(p('a'), p('b'), p('c')), 'b', 'c'), 'up')).toEqual(['bca'])
    const state = stateOf(p('x'), columns([p('a')], [p('b')]))
    expect(walk(select(state, findKind(state, 'column')), 'down')).toEqual(['x[b|a]'])
    expect(walk(select(state, findKind(state, 'columns')), 'up')).toEqual(['[a|b]x'])
  })

  test('the title stays where it is', () => expect(walk(stateOf(p('a')), 'down')).toEqual([]))
})

describe('deleting a block', () => {
  const afterDeleting = (state: EditorState): string | null => {
    const tr = deleteBlocks(state)
    tr?.doc.check()
    return tr === null ? null : shape(tr.doc)
  }

  test('deletes the selection, and leaves a line to write on', () => {
    expect(afterDeleting(cursorIn(stateOf(p('a'), p('b'), p('c')), 'a', 'b'))).toBe('c')
    expect(afterDeleting(cursorIn(stateOf(p('a')), 'a'))).toBe('_')
    expect(afterDeleting(cursorIn(stateOf(columns([p('a')], [p('b')])), 'b'))).toBe('[a|_]')
  })

  test('deletes a section with its last block, and never the title', () => {
    expect(afterDeleting(cursorIn(stateOf(section(p('a')), p('b')), 'a'))).toBe('b')
    expect(afterDeleting(stateOf(p('a')))).toBeNull()
  })
})

test('the surrounding block is selected step by step, up to the blocks of the page', () => {
  let state = cursorIn(stateOf(section(columns([p('a')], [p('b')]))), 'b')
  const names: string[] = []
  for (let tr = selectAround(state); tr !== null && names.length < 9; tr = selectAround(state)) {
    state = state.apply(tr)
    if (state.selection instanceof NodeSelection) names.push(state.selection.node.type.name)
  }
  expect(names).toEqual(['paragraph', 'column', 'columns', 'section'])
})
