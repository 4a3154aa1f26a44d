import { getSchema } from '@tiptap/core'
import { EditorState } from '@tiptap/pm/state'
import fc from 'fast-check'
import { parseFragment } from 'parse5'
import type { DefaultTreeAdapterMap } from 'parse5'
import { describe, expect, test } from 'vitest'

import { newAsset } from '../../../packages/service/editor/page/assets.ts'
import { criticalCss } from '../../../packages/service/editor/page/critical-css.ts'
import { freeName } from '../../../packages/service/editor/page/file-names.ts'
import { pageHtml } from '../../../packages/service/editor/page/html.ts'
import { isSafeLink, toLink } from '../../../packages/service/editor/page/links.ts'
import { textColorOn } from '../../../packages/service/editor/page/looks.ts'
import type { Page } from '../../../packages/service/editor/page/page.ts'
import { block, usedFiles } from '../../../packages/service/editor/page/page.ts'
import { plain } from '../../../packages/service/editor/page/spans.ts'
import { hasForeignParts, readState, writeState } from '../../../packages/service/editor/page/state.ts'
import { originIn } from '../../../packages/service/editor/prose/attributes.ts'
import { pageExtensions } from '../../../packages/service/editor/prose/extensions.ts'
import { toPage } from '../../../packages/service/editor/prose/to-page.ts'
import { toProse } from '../../../packages/service/editor/prose/to-prose.ts'
import { draftApart } from '../../../packages/service/editor/session/draft-apart.ts'
import { createPageFiles } from '../../../packages/service/editor/session/page-files.ts'
import { withoutUnknownFiles } from '../../../packages/service/editor/view/use-page-editor.ts'
import { dummyNames } from '../../../packages/wire/text/references/finder.ts'
import { rewriteHtml } from '../../../packages/wire/text/references/html.ts'
import { stateText } from './support/random-states.ts'

const schema = getSchema(pageExtensions(() => []))

/** The page after loading it in the editor. */
function throughEditor(page: Page): Page {
  const doc = schema.nodeFromJSON(toProse(page))
  doc.check()
  return toPage(doc)
}

/** Every file that is used has an entry, as when they were added here. */
const assetsOf = (page: Page) => new Map([...usedFiles(page)].map((name) => [name, newAsset(name)]))

const withTitle = (page: Page, title: string): Page => ({ ...page, title })

describe('what is pasted', () => {
  const listFrom = (start: number) => ({
    type: 'orderedList',
    attrs: { start },
    content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x' }] }] }],
  })
  const pageOf = (...blocks: object[]): Page =>
    toPage(schema.nodeFromJSON({ ...toProse(readState('{}').page), content: [{ type: 'title' }, ...blocks] }))

  test('keeps its text where the address of a link cannot be kept', () => {
    const marks = (href: string) => [{ type: 'link', attrs: { href } }]
    const [first] = pageOf({
      type: 'paragraph',
      content: [
        { type: 'text', text: 'a', marks: marks('ftp://x.example/a.pdf') },
        { type: 'text', text: 'b', marks: marks('https://x.example/') },
      ],
    }).blocks
    expect(first?.kind === 'paragraph' && first.text.map(({ text, link }) => [text, link])).toEqual([
      ['a', null],
      ['b', 'https://x.example/'],
    ])
  })

  test('keeps the first number of a list, if it can be one', () => {
    for (const [start, html] of [
      [4, '<ol start="4">'],
      [1, '<ol>'],
      [0, '<ol start="0">'],
      [-3, '<ol>'],
    ] as const)
      expect(pageHtml(pageOf(listFrom(start)), new Map()), String(start)).toContain(html)
  })

  test('loses the pictures of another page wherever they are, and stays a page', () => {
    const image = (file: string) => ({ type: 'image', attrs: { file } })
    const column = (...content: object[]) => ({ type: 'column', content })
    const doc = schema.nodeFromJSON({
      ...toProse(readState('{}').page),
      content: [
        { type: 'title' },
        image('a.png'),
        { type: 'columns', content: [column(image('b.png')), column(image('a.png'))] },
      ],
    })
    const slice = withoutUnknownFiles(doc.slice(0, doc.content.size), (name) => name === 'a.png')
    const left = doc.replace(0, doc.content.size, slice)
    left.check()
    expect([...usedFiles(toPage(left))]).toEqual(['a.png'])
    expect(withoutUnknownFiles(slice, () => true)).toBe(slice)
  })

  test('stays as open as it was where a picture is left out', () => {
    const item = (...content: object[]) => ({ type: 'listItem', content })
    const words = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
    const inner = { type: 'bulletList', content: [item(words('inner'))] }
    const list = {
      type: 'bulletList',
      content: [item(words('outer'), inner, { type: 'image', attrs: { file: 'b.png' } })],
    }
    const doc = schema.nodeFromJSON({
      ...toProse(readState('{}').page),
      content: [{ type: 'title' }, list, words('after')],
    })
    let from = 0
    doc.descendants((node, at) => void (from = node.text === 'inner' ? at + 2 : from))
    const slice = withoutUnknownFiles(doc.slice(from, doc.content.size - 2), () => false)
    const target = schema.nodeFromJSON({
      ...toProse(readState('{}').page),
      content: [{ type: 'title' }, words('here')],
    })
    const pasted = EditorState.create({ doc: target }).tr.replaceRange(4, 4, slice).doc
    pasted.check()
    expect(pasted.textContent).toContain('ner')
  })

  test('takes only an object for the state of a block', () => {
    const read = (text: string | null) => originIn({ getAttribute: () => text })
    expect([null, '', 'editor', '1', '[]', 'null', '{"type":"x"}'].map(read)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
      '{"type":"x"}',
    ])
    expect(originIn({ getAttribute: () => '"<p>old</p>"' }, () => true)).toBe('"<p>old</p>"')
  })
})

test('a draft keeps its own files beside those of the same name that were saved elsewhere', () => {
  const file = new File(['mine'], 'image.png')
  const image = { type: 'image', attrs: { file: 'image.png', alt: 'x' } }
  const draft = {
    doc: { type: 'doc', content: [{ type: 'title' }, image] },
    files: [{ name: 'image.png', file }],
    over: 'v1',
  }
  const theirs = new Map([['image.png', newAsset('image.png')]])
  expect(draftApart(draft, theirs, 'v1')).toBe(draft)
  expect(draftApart(draft, new Map(), 'v2')).toEqual(draft)
  expect(draftApart(draft, theirs, 'v2')).toEqual({
    doc: { type: 'doc', content: [{ type: 'title' }, { type: 'image', attrs: { file: 'image-2.png', alt: 'x' } }] },
    files: [{ name: 'image-2.png', file }],
    over: 'v1',
  })
})

test('a draft brings along the public files of the version that it was made over', () => {
  const pictures = new Map([
    [
      'public.png',
      { clientUrl: 'https://x.example/public.png', entry: '{"clientUrl":"https://x.example/public.png"}' },
    ],
    ['new.png', newAsset('new.png')],
  ])
  const files = createPageFiles(new Map(), String, { files: [], assets: [...pictures] })
  expect([...files.assets().keys()]).toEqual(['public.png'])
})

describe('state', () => {
  test('the editor returns any unchanged state exactly', () =>
    fc.assert(
      fc.property(stateText, (text) => {
        const opened = readState(text)
        const page = throughEditor(opened.page)
        expect(page).toEqual(opened.page)
        expect(writeState(opened, page, opened.assets)).toBe(text)
      }),
      { numRuns: 300 },
    ))

  test('a change is written into the text, and the rest is not changed', () => {
    const text =
      '{"10":12345678901234567890, "blocks":[ {"type":"paragraph","text":"a","id":1.0},{"n":{},"type":"heading"} ],' +
      '"title":"T","2":{},"assets":[]}'
    const opened = readState(text)
    const [first, ...rest] = opened.page.blocks
    if (first?.kind !== 'paragraph') throw new Error('no paragraph')
    const bold = { ...plain('b'), bold: true }
    const page = { ...opened.page, title: 'New', blocks: [{ ...first, text: [plain('a'), bold] }, ...rest] }
    expect(writeState(opened, page, new Map())).toBe(
      '{"10":12345678901234567890, "blocks":[{"type":"paragraph","text":["a",{"text":"b","bold":true}],"id":1.0},' +
        '{"n":{},"type":"heading"}],"title":"New","2":{},"assets":{}}',
    )
  })

  test('a changed state reads as the changed page', () =>
    fc.assert(
      fc.property(stateText, stateText, (one, other) => {
        const opened = readState(one)
        const page = throughEditor({ ...readState(other).page, style: opened.page.style })
        const again = readState(writeState(opened, page, assetsOf(page)))
        expect(JSON.stringify(again.page.blocks)).toBe(JSON.stringify(page.blocks))
        expect(again.page.title).toBe(page.title)
        for (const name of usedFiles(page)) expect(again.assets.has(name)).toBe(true)
        expect(again.assets.get('kept.png')?.entry).toBe('{"clientUrl":"https://x.example/kept.png","n":1.0}')
      }),
      { numRuns: 200 },
    ))

  test.each([
    ['text with marks of others', '{"type":"paragraph","text":[{"text":"a","colour":12345678901234567890}]}'],
    ['text that is none', '{"type":"paragraph","text":5}'],
    ['a value of others', '{"type":"spacer","size":"huge"}'],
    ['columns of something else', '{"type":"columns","blocks":[{"type":"paragraph"}]}'],
    ['a list without points', '{"type":"bulletList","blocks":[]}'],
    [
      'a point that begins with a list',
      '{"type":"bulletList","blocks":[{"type":"listItem","blocks":[{"type":"spacer"}]}]}',
    ],
    ['a section in a section', '{"type":"section","blocks":[{"type":"section"}]}'],
    ['a picture without a file', '{"type":"image","alt":"a"}'],
  ])('%s is kept as a part of others while the page around it changes', (_what, part) => {
    const opened = readState(`{"blocks":[${part}]}`)
    expect(opened.page.blocks).toEqual([{ kind: 'foreign', origin: part }])
    const page = { ...opened.page, blocks: [block('horizontalRule', {}), ...opened.page.blocks] }
    expect(writeState(opened, throughEditor(page), new Map())).toContain(`[{"type":"horizontalRule"},${part}]`)
  })

  test('links that could run something make a text foreign', () => {
    const text = '{"blocks":[{"type":"paragraph","text":[{"text":"a","link":"javascript:alert(1)"}]}],"assets":{}}'
    const opened = readState(text)
    expect(hasForeignParts(opened)).toBe(true)
    expect(pageHtml(opened.page, opened.assets)).not.toContain('javascript')
    expect(writeState(opened, opened.page, opened.assets)).toBe(text)
  })

  test('a fresh page is written small, with an entry for each file that is used', () => {
    const opened = readState('[]')
    const image = { file: 'a.png', caption: '', size: 'text', width: 3, height: 4, alt: 'A' } as const
    const page = { ...withTitle(opened.page, 'T'), blocks: [block('image', image)] }
    const assets = new Map([
      ['a.png', newAsset('a.png')],
      ['unused.png', newAsset('unused.png')],
    ])
    expect(JSON.parse(writeState(opened, page, assets))).toEqual({
      title: 'T',
      blocks: [{ type: 'image', file: 'a.png', width: 3, height: 4, alt: 'A' }],
      assets: { 'a.png': { clientUrl: 'dummy-a.png' } },
    })
  })

  test('a file that nothing uses is removed, but not while unknown parts may need it', () => {
    const own = readState('{"assets":{"a":{"clientUrl":"https://x.example/a"}}}')
    expect(writeState(own, own.page, own.assets)).toBe('{"assets":{}}')
    const mixed = readState('{"assets":{"a":{"clientUrl":"https://x.example/a"}},"blocks":[{"type":"carousel"}]}')
    expect(hasForeignParts(mixed)).toBe(true)
    expect(writeState(mixed, mixed.page, mixed.assets)).toBe(mixed.text)
  })

  test.each([
    ['{}', '{"assets":{}}'],
    ['[]', '{"assets":{}}'],
    ['{"blocks":3}', '{"blocks":3,"assets":{}}'],
    ['{"title":{"a":1},"page":7}', '{"title":{"a":1},"page":7,"assets":{}}'],
    ['{"blocks":{"x":[]},"assets":[]}', '{"blocks":{"x":[]},"assets":{}}'],
  ])('%s opens and is kept', (text, written) => {
    const opened = readState(text)
    const page = throughEditor(opened.page)
    expect(page.title).toBe('')
    expect(writeState(opened, page, opened.assets)).toBe(written)
  })
})

type Node = DefaultTreeAdapterMap['node']

function* elements(node: Node): Iterable<DefaultTreeAdapterMap['element']> {
  if ('tagName' in node) yield node
  if ('childNodes' in node) for (const child of node.childNodes) yield* elements(child)
}

const allowedTags =
  'article style h1 h2 h3 h4 p br strong em a ul ol li blockquote hr figure img video figcaption div section table tbody tr th td'.split(
    ' ',
  )

describe('html', () => {
  test('refers to every file as the site expects, and contains nothing that is not on the page', () =>
    fc.assert(
      fc.property(stateText, (text) => {
        const { page } = readState(text)
        const html = pageHtml(page, assetsOf(page))
        const found = [...elements(parseFragment(html))]
        expect(found.filter(({ tagName }) => !allowedTags.includes(tagName))).toEqual([])
        expect(found.filter(({ tagName }) => tagName === 'style')).toHaveLength(1)
        const sources = found.flatMap(({ attrs }) => attrs.filter(({ name }) => name === 'src'))
        expect(new Set(sources.map(({ value }) => value))).toEqual(
          new Set([...usedFiles(page)].map((name) => `dummy-${name}`.replaceAll('\r\n', '\n').replaceAll('\r', '\n'))),
        )
        for (const { attrs } of found) expect(attrs.filter(({ name }) => name.startsWith('on'))).toEqual([])
        const names = dummyNames(new Map([...usedFiles(page)].map((name) => [name, 'https://x.example/f'])))
        for (const { attrs } of elements(parseFragment(rewriteHtml(html, names).text)))
          for (const { name, value } of attrs) if (name === 'src') expect(value).toBe('https://x.example/f')
      }),
      { numRuns: 200 },
    ))

  test('is semantic, escaped, and refers to files by address or temporary name', () => {
    const state = {
      title: 'Fish & <chips>',
      page: { headingFont: 'A "B"', background: '#000000' },
      blocks: [
        { type: 'heading', level: 3, text: 'One', align: 'center' },
        {
          type: 'paragraph',
          text: ['a\n<script>', { text: 'b', bold: true, italic: true, link: 'https://x.example/?a&b' }],
        },
        { type: 'paragraph', text: ' ' },
        { type: 'image', file: 'new.png', alt: 'a "b"', caption: 'C' },
        { type: 'image', file: 'old.png', size: 'full', width: 4, height: 3 },
        { type: 'video', file: 'v.mp4', label: 'Boats' },
        { type: 'bulletList', blocks: [{ type: 'listItem', blocks: [{ type: 'paragraph', text: 'x' }] }] },
        { type: 'columns', blocks: [{ type: 'column', blocks: [{ type: 'spacer' }] }, { type: 'column' }] },
        { type: 'table', blocks: [{ type: 'tableRow', blocks: [{ type: 'tableCell', role: 'header', colspan: 2 }] }] },
        { type: 'section', background: '#ffffff', blocks: [{ type: 'horizontalRule' }] },
        { type: 'carousel' },
      ],
      assets: { 'old.png': { clientUrl: 'https://x.example/a?b&c' } },
    }
    const opened = readState(JSON.stringify(state))
    const html = pageHtml(opened.page, opened.assets)
    expect(html).toContain(`<style>${criticalCss}</style>`)
    expect(html.replace(criticalCss, '').split('\n')).toEqual([
      '<article class="folio" style="--folio-headings:&quot;A \\22 B\\22 &quot;,system-ui,sans-serif;background-color:#000000;color:#ffffff">',
      '<style></style>',
      '<h1>Fish &amp; &lt;chips&gt;</h1>',
      '<h3 class="folio-center">One</h3>',
      '<p>a<br>&lt;script&gt;<a href="https://x.example/?a&amp;b"><strong><em>b</em></strong></a></p>',
      '<figure><img src="dummy-new.png" alt="a &quot;b&quot;" loading="lazy" decoding="async"><figcaption>C</figcaption></figure>',
      '<figure class="folio-full"><img src="https://x.example/a?b&amp;c" alt="" width="4" height="3" loading="lazy" decoding="async"></figure>',
      '<figure><video src="dummy-v.mp4" aria-label="Boats" preload="metadata" controls playsinline></video></figure>',
      '<ul><li><p>x</p></li></ul>',
      '<div class="folio-columns"><div><div class="folio-space folio-medium"></div></div>',
      '<div></div></div>',
      '<table><tbody><tr><th colspan="2"></th></tr></tbody></table>',
      '<section class="folio-section folio-pad-medium" style="background-color:#ffffff;color:#16181d"><hr></section>',
      '</article>',
    ])
  })

  test('text on any background is readable', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xff_ff_ff }), (value) => {
        const background = `#${value.toString(16).padStart(6, '0')}`
        expect(contrastOf(background, textColorOn(background))).toBeGreaterThan(4.2)
      }),
    ))
})

/** Written apart from the product's own, from WCAG 2.2. */
function contrastOf(one: string, other: string): number {
  const luminances = [one, other].map((colour) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const value = Number(`0x${colour.slice(at, at + 2)}`) / 255
      return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4)
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
  })
  return Math.max(...luminances) / Math.min(...luminances)
}

test.each([
  ['photo.JPG', 'photo.jpg'],
  ['мой файл #1.png', 'мой-файл-1.png'],
  ['a/../b.png', 'a-b.png'],
  ['..', 'file'],
  ['.png', 'png'],
  ['a.b.png', 'a-b.png'],
  ['taken.png', 'taken-2.png'],
])('a file chosen as %s is called %s', (chosen, expected) =>
  expect(freeName(chosen, (name) => name === 'taken.png')).toBe(expected),
)

test.each([
  ['https://x.example/a', 'https://x.example/a'],
  [' x.example/a?b ', 'https://x.example/a?b'],
  ['anna@x.example', 'mailto:anna@x.example'],
  ['tel:+4940', 'tel:+4940'],
  ['/about', '/about'],
  ['#top', '#top'],
  ['//evil.example', null],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['two words', null],
  ['', null],
])('%s as a link is %s', (typed, link) => {
  expect(toLink(typed)).toBe(link)
  expect(link === null || isSafeLink(link)).toBe(true)
})
