import { describe, expect, test } from 'vitest'

import type { Cause } from '../../../packages/wire/cause.ts'
import { cause } from '../../../packages/wire/cause.ts'
import type { TestEntry } from '../../support/zip.ts'
import { aZip } from '../../support/zip.ts'
import { unpackFonts } from './fixture.ts'

const folder = 'https://cdn.example/fonts/site/s1/'
const css: TestEntry = {
  name: 'vms_fonts.css',
  data: "@font-face{src:url(dummy-Inter.woff2) format('woff2'),url('dummy-In ter.woff') format('woff');}",
}
const inter: TestEntry = { name: 'vms_fonts/Inter.woff2', data: 'woff2' }
const spaced: TestEntry = { name: 'vms_fonts/In ter.woff', data: 'woff' }

async function unpacked(entries: readonly TestEntry[], tree: string | null = null) {
  const outcome = await unpackFonts(aZip(entries), { tree })
  if (outcome.value === null) throw new Error(`Refused: ${JSON.stringify(outcome.failure)}`)
  return outcome
}

describe('a font set', () => {
  test('gets public URLs in its CSS', async () => {
    const { value, read, files } = await unpacked([css, inter, spaced])
    expect(read(value.css).toString()).toBe(
      `@font-face{src:url(${folder}Inter.woff2) format('woff2'),url('${folder}In%20ter.woff') format('woff');}`,
    )
    expect(files()).toEqual({ 'Inter.woff2': Buffer.from('woff2'), 'In ter.woff': Buffer.from('woff') })
    expect(value).toMatchObject({ kind: 'fonts', tree: null, answerTree: null, answerHosts: [], warnings: [] })
  })

  test('may refer to its files by where they lie in the archive', async () => {
    const url = 'https://site.test/f.woff2'
    const written = [
      'url(vms_fonts/Inter.woff2)',
      'url("./vms_fonts/In%20ter.woff")',
      "url(' In ter.woff ')",
      'url(Inter.woff2?#iefix)',
      'url("vms_fonts/latin/a#1.woff2")',
    ]
    const others = [`url(${url})`, 'local("Inter.woff2")', 'url(/vms_fonts/Inter.woff2)', 'url(other/Inter.woff2)']
    const { value, read } = await unpacked([
      { name: 'vms_fonts.css', data: `@font-face{src:${[...written, ...others].join(',')}}/* Inter.woff2 */` },
      inter,
      spaced,
      { name: 'vms_fonts/latin/a#1.woff2', data: 'x' },
    ])
    const rewritten = [
      `url(${folder}Inter.woff2)`,
      `url("${folder}In%20ter.woff")`,
      `url(' ${folder}In%20ter.woff ')`,
      `url(${folder}Inter.woff2?#iefix)`,
      `url("${folder}latin%2Fa%231.woff2")`,
    ]
    expect(read(value.css).toString()).toBe(`@font-face{src:${[...rewritten, ...others].join(',')}}/* Inter.woff2 */`)
  })

  test('gets both trees completed', async () => {
    const tree =
      '{"css":{"id":"vms_fonts.css","clientUrl":"dummy-fonts.css"},"list":[{"files":{"woff2":{"id":"Inter.woff2"}}}]}'
    const stored = { name: 'vms_fonts.json', data: '{"other":[{"id":"Inter.woff2"}]}' }
    const { value, read } = await unpacked([css, inter, spaced, stored], tree)
    const answer = JSON.parse(read(value.answerTree ?? value.css).toString())
    expect(answer.css.clientUrl).toBe(`${folder}vms_fonts.css`)
    expect(answer.list[0].files.woff2.clientUrl).toBe(`${folder}Inter.woff2`)
    expect(JSON.parse(read(value.tree ?? value.css).toString()).other[0].clientUrl).toBe(`${folder}Inter.woff2`)
    expect(value.answerHosts).toEqual(['cdn.example'])
  })

  test('reports the hosts that the sender wrote, even without a scheme', async () => {
    const tree =
      '{"a":{"id":"x","clientUrl":"https://evil.example:99/x"},"b":{"id":"y","clientUrl":"//Other.example/y"},"c":{"clientUrl":"dummy-z"}}'
    const { value } = await unpacked([css, inter, spaced], tree)
    expect(value.answerHosts).toEqual(['evil.example', 'other.example'])
  })

  test('returns unknown trees, and unreadable ones unchanged', async () => {
    const unknown = await unpacked([css, inter, spaced, { name: 'vms_fonts.json', data: '{"families":["Inter"]}' }])
    expect(unknown.read(unknown.value.tree ?? unknown.value.css).toString()).toBe('{"families":["Inter"]}')
    for (const data of ['not json', Buffer.from([0xff, 0xfe])]) {
      const { value, read } = await unpacked([css, inter, spaced, { name: 'vms_fonts.json', data }])
      expect(read(value.tree ?? value.css)).toEqual(Buffer.from(data))
      expect(value.warnings).toEqual([{ code: 'font_tree_kept', name: 'vms_fonts.json' }])
    }
  })

  test('may refer to its CSS by its other name, unless a file has that name', async () => {
    const importing = { name: 'vms_fonts.css', data: '@import url(dummy-fonts.css);' }
    const alias = await unpacked([importing])
    expect(alias.read(alias.value.css).toString()).toBe(`@import url(${folder}vms_fonts.css);`)
    const file = await unpacked([importing, { name: 'vms_fonts/fonts.css', data: 'x' }])
    expect(file.read(file.value.css).toString()).toBe(`@import url(${folder}fonts.css);`)
  })

  test('may have files in sub-folders', async () => {
    const { value, read } = await unpacked([
      { name: 'vms_fonts.css', data: '@font-face{src:url(dummy-latin/a.woff2)}' },
      { name: 'vms_fonts/latin/a.woff2', data: 'x' },
    ])
    expect(read(value.css).toString()).toBe(`@font-face{src:url(${folder}latin%2Fa.woff2)}`)
  })

  test('reports what its CSS lacks', async () => {
    const { value } = await unpacked([{ name: 'vms_fonts.css', data: '@font-face{src:url(dummy-lost.woff2)}' }])
    expect(value.warnings).toEqual([{ code: 'font_file_missing', name: 'lost.woff2' }])
  })
})

describe('refused font sets', () => {
  test.each<[string, readonly TestEntry[], Cause]>([
    ['no CSS', [inter], cause('lacks', { name: 'vms_fonts.css' })],
    [
      'a CSS that is not UTF-8',
      [{ name: 'vms_fonts.css', data: Buffer.from([0xff]) }],
      cause('unreadable', { name: 'vms_fonts.css', why: cause('not_utf8') }),
    ],
    [
      'a font file that is named as the CSS',
      [css, { name: 'vms_fonts/vms_fonts.css', data: 'x' }],
      cause('font_named_css', { name: 'vms_fonts.css' }),
    ],
  ])('%s', async (_, entries, problem) => {
    const { failure } = await unpackFonts(aZip(entries))
    expect(failure).toMatchObject({ kind: 'invalid_archive', problem })
  })
})
