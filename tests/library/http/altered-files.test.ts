import { open, readFile, rename, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

import { redactLine } from '../../../packages/platform/logging/redact.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import { aFontsSave, aSave, createTestGalley, send } from '../../support/test-galley.ts'

const large = Buffer.alloc(3_000_000, 'abcdefgh')

/** A library with a small file in a pack, a large separate one, and a font set, with the location of their bytes. */
async function setUp() {
  const made = await createTestGalley()
  const { galley, service, know, post, lines } = made
  await know('post-1')
  const files = { 'small.txt': '0123456789', 'other.txt': 'abcdefghij', 'large.bin': large }
  const save = aSave(service, { html: '<p>', state: '{}', files })
  expect((await post(save.body, save.headers)).json.rc).toBe(1)
  const fonts = aFontsSave(service, 'snap', {
    'vms_fonts/a.woff2': 'a font',
    'vms_fonts.css': 'a{}',
    'vms_fonts.json': '{}',
  })
  expect((await post(fonts.body, fonts.headers)).json.rc).toBe(1)
  const [version] = galley.index.versions.list('acme', 'post-1')
  const url = (name: string) => version?.publicUrls[name] ?? ''
  const get = (name: string, headers: Record<string, string> = {}, method = 'GET') =>
    send(url(name), method, null, headers)
  const placeOf = async (name: string) => {
    const address = new URL(url(name)).pathname.split('/')
    const media = galley.index.versions.mediaByAddress(address[2] ?? '', name)
    const place = galley.index.blobs.find(media?.sha256 as Sha256)
    if (!place) throw new Error(`${name} is nowhere`)
    return galley.vault.locate(place)
  }
  /** Changes one byte in place, without a change of size and time. */
  const flip = async (name: string) => {
    const { path, offset } = await placeOf(name)
    const { atime, mtime } = await stat(path)
    const file = await open(path, 'r+')
    await file.write(Buffer.from('X'), 0, 1, offset + 1)
    await file.close()
    await utimes(path, atime, mtime)
  }
  const told = () => lines.filter((line) => line.includes('was changed on disk')).length
  return { ...made, get, placeOf, flip, told }
}

test('the log names an altered file as fsck does, also after redaction', async () => {
  const { get, placeOf, flip, lines } = await setUp()
  const { path } = await placeOf('large.bin')
  await flip('large.bin')
  await get('large.bin')
  const said = lines.map((line) => redactLine(line, new Set())).join('\n')
  expect(said).toContain(`the stored file ${basename(path).slice(0, 12)}… was changed on disk`)
})

test('a file that was altered on disk is answered with 500 and none of its bytes, for every kind of request', async () => {
  const { get, flip, told } = await setUp()
  const etag = String((await get('large.bin')).headers['etag'])
  await flip('small.txt')
  await flip('large.bin')
  for (const name of ['small.txt', 'large.bin']) {
    for (const [method, headers] of [
      ['GET', {}],
      ['HEAD', {}],
      ['GET', { range: 'bytes=5-6' }],
      ['GET', { range: 'bytes=5-6', 'if-range': etag }],
      ['GET', { range: 'bytes=99999999-' }],
    ] as const) {
      const answer = await get(name, headers, method)
      expect([answer.status, answer.text, answer.headers['content-length']], `${method} ${name}`).toEqual([
        500,
        '',
        '0',
      ])
      expect([answer.headers['cache-control'], answer.headers['etag']]).toEqual(['no-store', undefined])
    }
  }
  expect(told()).toBe(2)
  // Its neighbour in the pack is unchanged.
  expect((await get('other.txt')).text).toBe('abcdefghij')
})

test('a change after a file was served is detected, and so is its repair', async () => {
  const { get, flip, placeOf, told } = await setUp()
  expect((await get('large.bin')).text).toBe(large.toString())
  const { path } = await placeOf('large.bin')
  const whole = await readFile(path)
  await flip('large.bin')
  expect((await get('large.bin')).status).toBe(500)
  await writeFile(`${path}.new`, whole)
  await rename(`${path}.new`, path)
  expect((await get('large.bin')).text).toBe(large.toString())
  await truncate(path, 10)
  expect([(await get('large.bin')).status, (await get('large.bin', { range: 'bytes=0-1' })).status]).toEqual([500, 500])
  expect(told()).toBe(2)
})

test('a truncated pack affects only the files after its end', async () => {
  const { get, placeOf } = await setUp()
  const places = { 'small.txt': await placeOf('small.txt'), 'other.txt': await placeOf('other.txt') }
  const [first, second] = Object.entries(places).toSorted(([, one], [, other]) => one.offset - other.offset)
  if (!first || !second) throw new Error('There are two')
  expect(first[1].path).toBe(second[1].path)
  await truncate(first[1].path, second[1].offset + 5)
  expect([(await get(first[0])).status, (await get(second[0])).status]).toEqual([200, 500])
})

test('altered fonts and font CSS are answered with 500 too', async () => {
  const { galley, listener } = await setUp()
  const snapshot = galley.index.snapshots.find('acme', 'snap')
  for (const [path, sha256] of [
    ['/fonts/acme/snap/a.woff2', snapshot?.files[0]?.sha256],
    ['/fonts/acme/current.css', snapshot?.css],
  ] as const) {
    expect((await send(listener + path, 'GET', null)).status).toBe(200)
    const place = galley.index.blobs.find(sha256 as Sha256)
    if (!place) throw new Error('It is nowhere')
    const file = await open((await galley.vault.locate(place)).path, 'r+')
    await file.write(Buffer.from('X'), 0, 1, place.offset)
    await file.close()
    expect((await send(listener + path, 'GET', null)).status).toBe(500)
  }
})

/** Writes another byte into a stored blob. */
async function alterBlob({ galley }: Pick<Awaited<ReturnType<typeof setUp>>, 'galley'>, sha256: Sha256) {
  const place = galley.index.blobs.find(sha256)
  if (!place) throw new Error('It is nowhere')
  const file = await open((await galley.vault.locate(place)).path, 'r+')
  await file.write(Buffer.from('X'), 0, 1, place.offset + 1)
  await file.close()
}

test.each([
  ['small', '{"small":1}'],
  ['large', JSON.stringify({ large: 'x'.repeat(200_000) })],
])('a repeated delivery whose %s state was altered is refused and listed as failed', async (_size, state) => {
  const made = await setUp()
  const { galley, service, post } = made
  const save = aSave(service, { versionId: 'again', html: '<p>', state, files: {} })
  expect((await post(save.body, save.headers)).json.rc).toBe(1)
  expect((await post(save.body, save.headers)).json.rc).toBe(1)
  await alterBlob(made, galley.index.versions.parts('acme', 'post-1', 'again')?.state as Sha256)
  const refused = await post(save.body, save.headers)
  expect([refused.status, refused.json.rc, refused.json['code']]).toEqual([500, 0, 'storage_failed'])
  expect(String(refused.json['rm'])).toMatch(/^Galley has this save, but its files were altered on the disk/)
  const [last] = galley.index.callbacks.list({ site: null, outcome: null, limit: 1 })
  expect(last).toMatchObject({ outcome: 'failed', httpStatus: 500, code: 'storage_failed' })
  // The same content under another address is answered with the same state.
  const renamed = aSave(service, { versionId: 'again', html: '<p>', state, files: {} })
  expect((await post(renamed.body, renamed.headers)).json.rc).toBe(0)
  // Stays a stored delivery.
  expect((await post(save.body, save.headers)).status).toBe(500)
})

test('a new save whose state is that of an altered blob is refused too', async () => {
  const made = await setUp()
  const { galley, service, post } = made
  const save = aSave(service, { versionId: 'one', html: '<p>1', state: '{"same":1}', files: {} })
  expect((await post(save.body, save.headers)).json.rc).toBe(1)
  await alterBlob(made, galley.index.versions.parts('acme', 'post-1', 'one')?.state as Sha256)
  const other = aSave(service, { versionId: 'two', html: '<p>2', state: '{"same":1}', files: {} })
  const answer = await post(other.body, other.headers)
  expect([answer.status, answer.json.rc]).toEqual([500, 0])
})

test('concurrent first readers of a file share one check, and each is served', async () => {
  const { get, flip, told } = await setUp()
  const all = () => Promise.all(Array.from({ length: 30 }, () => get('large.bin')))
  expect(new Set((await all()).map(({ status, text }) => `${status} ${text.length}`))).toEqual(
    new Set([`200 ${large.length}`]),
  )
  await flip('large.bin')
  expect(new Set((await all()).map(({ status, text }) => `${status} ${text.length}`))).toEqual(new Set(['500 0']))
  expect(told()).toBe(1)
})
