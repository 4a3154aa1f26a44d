import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

import { mediaReferences } from '../../../packages/library/records/media-references.ts'
import { remarkSentence } from '../../../packages/library/records/remark.ts'
import { archiveLimits } from '../../../packages/wire/protocol/archive.ts'
import { hashStart, mediaPath } from '../../../packages/wire/protocol/public-url.ts'
import { aSave, state } from '../../support/archives/sound.ts'
import type { TestEntry } from '../../support/zip.ts'
import { aPlace, sha256, unpackMedia } from './fixture.ts'

const urlOf = (name: string, data: string | Buffer): string =>
  `https://cdn.example${mediaPath(sha256(Buffer.from(data)), name)}`

const stateOf = (urls: Record<string, string>): string =>
  JSON.stringify({ assets: Object.fromEntries(Object.entries(urls).map(([name, clientUrl]) => [name, { clientUrl }])) })

async function unpacked(more: readonly TestEntry[], job: Parameters<typeof unpackMedia>[1] = {}) {
  const outcome = await unpackMedia(aSave(more), job)
  if (outcome.value === null) throw new Error(`Refused: ${JSON.stringify(outcome.failure)}`)
  return outcome
}

describe('a save', () => {
  test('gets public URLs in its page and its state', async () => {
    const { value, read } = await unpacked([])
    const url = urlOf('a.png', 'the picture')
    expect(read(value.html).toString()).toBe(`<h1>Hello</h1><img src="${url}">`)
    expect(read(value.state).toString()).toBe(state.replace('dummy-a.png', url))
    expect(value.media).toEqual([{ name: 'a.png', sha256: sha256(Buffer.from('the picture')), sizeBytes: 11 }])
    expect(value).toMatchObject({ kind: 'media', title: 'Hello', metadata: null, warnings: [] })
    expect(value.text).toContain('Hello')
    expect(value.answerHosts).toEqual(['cdn.example'])
  })

  test('stores small blobs in one pack and large ones separately, each content once, readable only by the user', async () => {
    const long = randomBytes(70_000)
    const longest = randomBytes(1_500_000)
    const more = [
      { name: 'vms_media/copy.png', data: 'the picture' },
      { name: 'vms_media/long.bin', data: long },
      { name: 'vms_media/long-too.bin', data: long },
      { name: 'vms_media/longest.bin', data: longest },
      { name: 'vms_media/longest-too.bin', data: longest },
    ]
    const { value, files, stagingDir } = await unpacked(more)
    expect(files()).toEqual({
      'a.png': Buffer.from('the picture'),
      'copy.png': Buffer.from('the picture'),
      'long.bin': long,
      'long-too.bin': long,
      'longest.bin': longest,
      'longest-too.bin': longest,
    })
    expect(value.blobs.map((blob) => blob.at.kind).toSorted()).toEqual(['file', 'file', 'packed', 'packed', 'packed'])
    expect(new Set(value.blobs.map((blob) => blob.sha256)).size).toBe(5)
    expect(readdirSync(stagingDir).length).toBe(4)
    for (const name of ['pack', ...value.blobs.flatMap(({ at }) => (at.kind === 'file' ? [at.path] : []))]) {
      expect(statSync(join(stagingDir, name.replace(stagingDir, ''))).mode & 0o777).toBe(0o600)
    }
    const pack = readFileSync(value.pack?.path ?? '')
    expect(value.pack).toMatchObject({
      sha256: createHash('sha256').update(pack).digest('hex'),
      sizeBytes: pack.length,
    })
  })

  test('finds every blob of a pack that is larger than what is written at once', async () => {
    const media = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}.bin`, randomBytes(64 * 1024 - at)]))
    const { files } = await unpacked(Object.entries(media).map(([name, data]) => ({ name: `vms_media/${name}`, data })))
    const found = files()
    expect(Object.entries(media).filter(([name, data]) => !found[name]?.equals(data))).toEqual([])
  })

  test('keeps a page that starts with a byte order mark unchanged', async () => {
    const { value, read } = await unpacked([{ name: 'vms_html.html', data: '\ufeff<p>x</p>' }])
    expect(read(value.html).toString()).toBe('\ufeff<p>x</p>')
  })

  test('uses the URLs of the current version for files that were not sent again', async () => {
    const earlier = stateOf({ 'old.png': 'https://old.example/old.png' })
    const place = aPlace(Buffer.alloc(0))
    const path = join(place.parent, 'earlier')
    writeFileSync(path, `junk${earlier}junk`)
    const data = stateOf({ 'a.png': 'dummy-a.png', 'old.png': 'dummy-old.png' })
    const at = { path, offset: 4, sizeBytes: earlier.length }
    const { value, read } = await unpacked([{ name: 'vms_json.json', data }], { earlierState: at })
    expect(read(value.state).toString()).toContain('"https://old.example/old.png"')
    expect(value.answerHosts).toEqual(['cdn.example', 'old.example'])
  })

  test('works without a current version that the library has lost', async () => {
    const { value } = await unpacked([], { earlierState: { path: '/nowhere/at/all', offset: 0, sizeBytes: 5 } })
    expect(value.warnings).toEqual([{ code: 'state_unread', name: '' }])
  })
})

test('a page and its state refer to files of earlier saves beside their own, as the stored page does', async () => {
  const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(32))
  const html = [
    `<img src="https://media.example/media/${one}/one.png"><img src="dummy-a.png?w=1&amp;h=2">`,
    `<img srcset="dummy-a.png 1x, /media/${two}/two.png 2x"><i style="background:url(dummy-a.png),url(/media/${two}/two.png)">`,
    `<i data-state="{&quot;src&quot;:&quot;dummy-a.png&quot;,&quot;b&quot;:&quot;\\/media\\/${three}\\/three.png&quot;}">`,
  ].join('')
  const { value, read } = await unpacked([
    { name: 'vms_html.html', data: html },
    { name: 'vms_media/a.png', data: 'a' },
  ])
  const own = new Set(value.media.map(({ sha256 }) => hashStart(sha256)))
  const stored = mediaReferences([read(value.html).toString(), read(value.state).toString()], new Set())
  expect(value.references.map(({ name }) => name)).toEqual(expect.arrayContaining(['one.png', 'two.png', 'three.png']))
  expect(value.references).toEqual(stored.filter((reference) => !own.has(reference.hashStart)))
})

describe('warnings', () => {
  test('name a style sheet that is too large to be read for references', async () => {
    const css = Buffer.alloc(archiveLimits.textBytes + 1, ' ')
    const { value } = await unpacked([
      { name: 'vms_media/large.css', data: css },
      { name: 'vms_media/fits.css', data: css.subarray(1) },
    ])
    expect(value.warnings).toEqual([{ code: 'style_sheet_unread', name: 'large.css' }])
  })

  test('report what the page lacks, what is not stored, and an empty page', async () => {
    const missing = await unpacked([
      { name: 'vms_html.html', data: '<img src="dummy-a.png"><img src="dummy-lost.png">' },
    ])
    expect(missing.value.warnings).toEqual([{ code: 'page_file_missing', name: 'lost.png' }])
    const others = '<a href="/dummy-guide"><a href="/dummy-logo">'
    const data = stateOf({ logo: 'https://old.example/logo' })
    const html = `<img src="dummy-photo@2x.png"><img src="dummy-my photo.png"><img src=dummy-hero>${others}`
    const named = await unpacked([
      { name: 'vms_html.html', data: html },
      { name: 'vms_json.json', data },
    ])
    const names = named.value.warnings.map(({ name }) => name)
    expect(names).toEqual(['photo@2x.png', 'my photo.png', 'hero', '/dummy-logo'])
    const unexpected = await unpacked([
      { name: '__MACOSX/._a', data: 'x' },
      { name: 'VMS_HTML.HTML', data: 'x' },
    ])
    expect(unexpected.value.warnings).toEqual([
      { code: 'entry_unexpected', name: '__MACOSX/._a' },
      { code: 'entry_unexpected', name: 'VMS_HTML.HTML' },
    ])
    expect(unexpected.value.blobs.length).toBe(3)
    expect((await unpacked([{ name: 'vms_html.html', data: ' \n' }])).value.warnings).toEqual([
      { code: 'page_empty', name: '' },
    ])
  })
  test('report scripts that were not changed', async () => {
    const data = '<script>load("dummy-a.png")</script>'
    const { value } = await unpacked([{ name: 'vms_html.html', data }])
    expect(value.warnings).toEqual([{ code: 'script_left', name: 'script 1: load("dummy-a.png")' }])
  })
  test('are limited to 100', async () => {
    const more = Array.from({ length: 150 }, (_, index) => ({ name: `extra-${index}`, data: 'x' }))
    const { value } = await unpacked(more)
    expect(value.warnings.length).toBe(100)
    expect(value.warnings.at(-1)).toEqual({ code: 'more', name: '51' })
  })
  test('contain no invisible characters', async () => {
    const { value } = await unpacked([{ name: 'evil\u202egnp.exe', data: 'x' }])
    expect(value.warnings.map(remarkSentence).join()).toContain('evil\\u{202e}gnp.exe')
  })
})

describe('the disk', () => {
  test('a file in the way is a storage failure, described without paths', async () => {
    const bytes = aSave()
    const place = aPlace(bytes)
    writeFileSync(join(place.stagingDir, 'pack'), 'in the way')
    const outcome = await unpackMedia(bytes, { archive: place.archive, stagingDir: place.stagingDir })
    expect(outcome.failure).toMatchObject({ kind: 'storage_failed' })
    expect(JSON.stringify(outcome.failure)).not.toContain('/')
    expect(readFileSync(join(place.stagingDir, 'pack'), 'utf8')).toBe('in the way')
  })
  test('a missing archive is one too', async () => {
    const outcome = await unpackMedia(aSave(), {
      archive: { path: '/nowhere', sha256: sha256(Buffer.alloc(0)), sizeBytes: 0 },
    })
    expect(outcome.failure).toMatchObject({ kind: 'storage_failed' })
  })
})
