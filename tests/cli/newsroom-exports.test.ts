import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { withTargetLock } from '../../packages/sites/exporting/target-lock.ts'
import { ok } from '../../packages/wire/result.ts'
import type { AtEnd } from './support/cli.ts'
import { galley } from './support/cli.ts'
import { aRoomWithSaves } from './support/library.ts'

// `export` and `site publishing` in a library with two saves of one material and one of another.

const number = expect.any(Number) as number
const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string

const ends: (() => Promise<void>)[] = []
const atEnd: AtEnd = (clean) => void ends.unshift(clean)
let room: Awaited<ReturnType<typeof aRoomWithSaves>>['room']
let saved: readonly string[] = []

beforeAll(async () => {
  const made = await aRoomWithSaves(atEnd)
  room = made.room
  saved = made.saved
})
afterAll(async () => {
  for (const clean of ends) await clean()
})

const run = (...args: string[]) => room.run(...args)

const report = {
  files: number,
  added: number,
  changed: 0,
  removed: 0,
  unchanged: 0,
  bytes: number,
  sha256: hash,
  links: { checked: number, broken: [] },
  left_out: [],
  notes: [{ code: 'no_base_url' }],
}

test('export to a folder writes pages, the second time only those that have changed', async () => {
  const out = join(room.folder, 'bundle')
  const first = await run('export', 'acme', '--out', out)
  expect([first.code, first.json()]).toStrictEqual([0, report])
  const { files, bytes, sha256 } = first.json() as { files: number; bytes: number; sha256: string }
  const names = (await readdir(out, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  expect(names.length).toBeGreaterThanOrEqual(files)
  const second = (await run('export', 'acme', '--out', out)).json()
  expect(second).toStrictEqual({ ...report, added: 0, unchanged: files, files, bytes, sha256 })

  const older = await run('export', 'acme', '--out', out, '--pin', `post-1=${saved[0]}`, '--material', 'post-1')
  expect(older.code, older.stderr).toBe(0)
  expect((older.json() as { removed: number }).removed).toBeGreaterThan(0)
  const pages = await readdir(out, { recursive: true })
  const html = await Promise.all(
    pages.filter((name) => name.endsWith('.html')).map((name) => readFile(join(out, name), 'utf8')),
  )
  expect(html.join('')).toContain('Text of First.')
  expect(html.join('')).not.toContain('Text of Second.')
})

test('export --verify reads every file of the target back', async () => {
  const out = join(room.folder, 'verified')
  const first = await run('export', 'acme', '--out', out, '--verify')
  const { files } = first.json() as { files: number }
  expect(first.json()).toStrictEqual({ ...report, files, verified: { files, wrong: [] } })
  const media = (await readdir(join(out, 'media'))).map((name) => join('media', name))
  const [hero = ''] = media
  const bytes = await readFile(join(out, hero))
  await writeFile(join(out, hero), Buffer.alloc(bytes.length, 'x'))
  expect((await run('export', 'acme', '--out', out)).json(), 'its size is right').toMatchObject({ unchanged: files })
  const second = await run('export', 'acme', '--out', out, '--verify')
  expect(second.json()).toMatchObject({ changed: 1, unchanged: files - 1, verified: { files, wrong: [hero] } })
  expect((await readFile(join(out, hero))).equals(bytes)).toBe(true)
})

test('site publishing says which versions go out; what does not is named in every export', async () => {
  expect((await run('site', 'publishing', 'acme')).json()).toMatchObject({ site: 'acme', outgoing: 'not-rejected' })
  const changed = await run('site', 'publishing', 'acme', '--outgoing', 'approved')
  expect([changed.code, changed.json()]).toMatchObject([0, { site: 'acme', outgoing: 'approved' }])
  const none = (await run('export', 'acme', '--out', join(room.folder, 'none'))).json()
  expect(none).toMatchObject({
    left_out: [
      { material_id: 'post-1', version_id: saved[1], reason: 'not_approved', instead: null },
      { material_id: 'post-2', version_id: saved[2], reason: 'not_approved', instead: null },
    ],
  })
  const pinned = await run('export', 'acme', '--out', join(room.folder, 'one'), '--pin', `post-1=${saved[0]}`)
  expect(pinned.json()).toMatchObject({ left_out: [{ material_id: 'post-2' }], notes: [{ code: 'no_base_url' }] })
  expect((await run('site', 'publishing', 'acme', '--outgoing', 'not-rejected')).code).toBe(0)
  expect((await run('site', 'publishing', 'nobody')).failure().code).toBe('unknown_site')
  expect((await run('site', 'publishing', 'acme', '--outgoing', 'none')).code).toBe(2)
})

test('export prints why a version is not exported', async () => {
  const inWords = async () => {
    const out = join(room.folder, 'in-words')
    const { stdout, stderr, code } = await galley(
      ['export', 'acme', '--out', out, '--library', room.library],
      room.environment,
    )
    expect(code, stderr).toBe(0)
    return stdout.split('\n').filter((line) => line.startsWith('Not exported: '))
  }
  await run('review', 'request', 'acme', 'post-2', '--by', 'Ida', '--reason', 'Name the quay')
  await run('material', 'archive', 'acme', 'post-1')
  expect(await inWords()).toStrictEqual([
    `Not exported: post-1, version ${saved[1]} (archived); no version of it is exported`,
    `Not exported: post-2, version ${saved[2]} (changes requested); no version of it is exported`,
  ])
  await run('review', 'clear', 'acme', 'post-2', '--by', 'Ida')
  await run('material', 'unarchive', 'acme', 'post-1')
  await run('site', 'publishing', 'acme', '--outgoing', 'approved')
  expect(await inWords()).toStrictEqual([
    `Not exported: post-1, version ${saved[1]} (not approved); no version of it is exported`,
    `Not exported: post-2, version ${saved[2]} (not approved); no version of it is exported`,
  ])
  await run('site', 'publishing', 'acme', '--outgoing', 'not-rejected')
})

test('export into a folder that is being exported into is busy, and writes nothing', async () => {
  const out = join(room.folder, 'busy')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const first = withTargetLock({ kind: 'folder', directory: out }, async () => ok(await held))
  const second = await run('export', 'acme', '--out', out)
  release()
  await first
  expect([second.code, second.failure().code]).toStrictEqual([1, 'busy'])
  expect(await readdir(room.folder)).not.toContain('busy')
})

test('export into a folder that is not ours is wrong usage, and leaves it alone', async () => {
  const foreign = join(room.folder, 'foreign')
  await mkdir(foreign)
  await writeFile(join(foreign, 'thesis.txt'), 'years of work')
  const refused = await run('export', 'acme', '--out', foreign)
  expect([refused.code, refused.failure().code]).toStrictEqual([2, 'usage'])
  expect(await readdir(foreign)).toStrictEqual(['thesis.txt'])

  const file = join(room.folder, 'foreign.zip')
  await writeFile(file, 'not a bundle')
  const zip = await run('export', 'acme', '--out', file)
  expect([zip.code, await readFile(file, 'utf8')]).toStrictEqual([2, 'not a bundle'])
})

test.for([
  ['material', ['--material', 'post-9'], 'unknown_material'],
  ['version', ['--pin', 'post-1=v9'], 'unknown_version'],
])('export of an unknown %s fails and writes nothing', async ([, args, code]) => {
  const out = join(room.folder, `never-${String(code)}`)
  const refused = await run('export', 'acme', '--out', out, ...(args as string[]))
  expect([refused.code, refused.failure().code]).toStrictEqual([1, code])
  expect(await readdir(room.folder)).not.toContain(`never-${String(code)}`)
})
