import { describe, expect, test } from 'vitest'

import { freeName, referenceTo } from '../../../src/emulator/editor/page/assets.ts'
import { pageHtml } from '../../../src/emulator/editor/page/html.ts'
import type { Page, TextBlock } from '../../../src/emulator/editor/page/page.ts'
import { insertAfter, moveBlock, removeBlock, splitText } from '../../../src/emulator/editor/page/page.ts'
import { hasForeignParts, readState, writeState } from '../../../src/emulator/editor/page/state.ts'
import { statusOf } from '../../../src/emulator/editor/view/status-line.ts'

const counter = (): (() => string) => {
  let count = 0
  return () => `b${++count}`
}

const paragraph = (id: string, text = id): TextBlock => ({ kind: 'paragraph', id, text })
const page: Page = { title: 'T', blocks: [paragraph('a'), paragraph('b'), paragraph('c')] }
const ids = (changed: Page): string => changed.blocks.map(({ id }) => id).join('')

describe('state', () => {
  test('its own state comes back as it was', () => {
    const state = {
      title: 'A "title"',
      blocks: [
        { type: 'heading', text: 'One' },
        { type: 'paragraph', text: 'a\nb' },
        { type: 'image', file: 'a.png', alt: 'A' },
      ],
      assets: { 'a.png': { clientUrl: 'https://x.example/a.png', width: 3 } },
    }
    const opened = readState(state, counter())
    expect(writeState(opened)).toEqual(state)
    expect(hasForeignParts(opened)).toBe(false)
  })

  test.each([{}, null, [], 'text', { blocks: 3, assets: [] }])('%j opens as an empty page', (state) =>
    expect(writeState(readState(state, counter()))).toEqual({ title: '', blocks: [], assets: {} }),
  )

  test("another editor's parts are kept, with the files they may use", () => {
    const state = {
      containers: [{ deep: {} }],
      title: '',
      blocks: [{ type: 'video' }, 7],
      assets: { a: { clientUrl: '' } },
    }
    const opened = readState(state, counter())
    expect(writeState(opened)).toEqual(state)
    expect(hasForeignParts(opened)).toBe(true)
  })

  test('a file that no picture uses is dropped', () =>
    expect(writeState(readState({ assets: { a: { clientUrl: 'dummy-a' } } }, counter()))['assets']).toEqual({}))
})

describe('html', () => {
  test('is semantic, escaped, and refers to files by address or temporary name', () => {
    const state = {
      title: 'Fish & <chips>',
      blocks: [
        { type: 'heading', text: 'One' },
        { type: 'paragraph', text: 'a\n<script>' },
        { type: 'paragraph', text: ' ' },
        { type: 'image', file: 'new.png', alt: 'a "b"' },
        { type: 'image', file: 'old.png', alt: '' },
        { type: 'video' },
      ],
      assets: { 'new.png': { clientUrl: 'dummy-new.png' }, 'old.png': { clientUrl: 'https://x.example/a?b&c' } },
    }
    const opened = readState(state, counter())
    const html = pageHtml(opened.page, opened.assets)
    expect(html.replace(/<style[^]*<\/style>/, '<style>')).toBe(
      [
        '<article class="vrstk-article" data-vrstk-article="">',
        '<style>',
        '<h1>Fish &amp; &lt;chips&gt;</h1>',
        '<h2>One</h2>',
        '<p>a<br>&lt;script&gt;</p>',
        '<figure><img src="dummy-new.png" alt="a &quot;b&quot;" loading="lazy"></figure>',
        '<figure><img src="https://x.example/a?b&amp;c" alt="" loading="lazy"></figure>',
        '</article>',
      ].join('\n'),
    )
    expect(html).toMatch(/<style data-vrstk-critical-css="">\.vrstk-article\{/)
  })

  test('a file without an entry is referred to by its temporary name', () =>
    expect(referenceTo(new Map(), 'a.png')).toBe('dummy-a.png'))
})

describe('page', () => {
  test('blocks are inserted, moved, removed and split', () => {
    expect(ids(insertAfter(page, 'b', paragraph('x')))).toBe('abxc')
    expect(ids(insertAfter(page, null, paragraph('x')))).toBe('xabc')
    expect(ids(moveBlock(page, 'b', -1))).toBe('bac')
    expect(ids(moveBlock(page, 'b', 1))).toBe('acb')
    expect([moveBlock(page, 'a', -1), moveBlock(page, 'c', 1), moveBlock(page, 'x', 1)]).toEqual([page, page, page])
    expect(ids(removeBlock(page, 'b'))).toBe('ac')
    const split = splitText(page, { ...paragraph('b', 'hello'), kind: 'heading' }, 2, 'n')
    expect(split.blocks.slice(1, 3)).toEqual([{ kind: 'heading', id: 'b', text: 'he' }, paragraph('n', 'llo')])
  })
})

test.each([
  ['photo.JPG', 'photo.jpg'],
  ['мой файл #1.png', 'мой-файл-1.png'],
  ['a/../b.png', 'a-b.png'],
  ['..', 'image'],
  ['.png', 'png'],
  ['a.b.png', 'a-b.png'],
  ['taken.png', 'taken-2.png'],
])('a file chosen as %s is called %s', (chosen, expected) =>
  expect(freeName(chosen, (name) => name === 'taken.png')).toBe(expected),
)

test.each([
  ['merged', 'Fine', 'good', 'Saved. The site answered: Fine.'],
  ['rejected', 'Not today!', 'bad', 'The site refused this save: Not today! Nothing changed on the site.'],
  ['webhook_failed', 'Oops', 'bad', 'The site did not take this save. Oops. You can save again.'],
] as const)('%s is told in plain words', (result, message, tone, text) =>
  expect(statusOf({ result, message })).toEqual({ tone, text }),
)
