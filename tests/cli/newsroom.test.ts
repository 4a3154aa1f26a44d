import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { send } from '../support/test-galley.ts'
import type { AtEnd } from './support/cli.ts'
import { galley } from './support/cli.ts'
import { aPage, aRoomWithSaves } from './support/library.ts'

// The commands that read a library in which something has happened: two saves of one material, one of another, a font
// set, a refused save.

const text = expect.any(String) as string
const number = expect.any(Number) as number
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) as string
const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string

const ends: (() => Promise<void>)[] = []
const atEnd: AtEnd = (clean) => void ends.unshift(clean)
let room: Awaited<ReturnType<typeof aRoomWithSaves>>['room']
let opened: Record<string, unknown>
let saved: readonly string[] = []
let snapshotId = ''

beforeAll(async () => {
  const made = await aRoomWithSaves(atEnd)
  room = made.room
  opened = made.opened
  saved = made.saved
  snapshotId = (await room.saveFonts()).snapshot_id ?? ''
  const forged = { event: 'article_saved', material_id: 'post-1', content_url: `${room.emulator.baseUrl}/x` }
  const cut = await send(room.callbackUrl, 'POST', JSON.stringify(forged), {
    'content-type': 'application/json',
    'x-service-signature': '0'.repeat(64),
  })
  expect(cut.status).toBe(400)
})
afterAll(async () => {
  for (const clean of ends) await clean()
})

const run = (...args: string[]) => room.run(...args)

test('open prints the session; opened again it is the same one', async () => {
  expect(opened).toStrictEqual({
    session_id: text,
    fingerprint: text,
    url: expect.stringMatching(/^http/) as string,
    resize_mode: expect.toSatisfy((mode) => mode === null || typeof mode === 'string') as string,
    reused: false,
  })
  const again = await run('open', 'acme', 'post-1')
  expect([again.code, again.json()]).toStrictEqual([0, { ...opened, reused: true }])
})

test('open with a metadata file sends it; a file that holds no object fails and opens nothing', async () => {
  const file = join(room.folder, 'metadata.json')
  await writeFile(file, '{"desk":"news","user_email":"desk@acme.example"}')
  const { fingerprint } = (await run('open', 'acme', 'post-2', '--metadata', file)).json() as { fingerprint: string }
  // Of the sent metadata, the service only shows the editor.
  const session = await fetch(`${room.emulator.url}/_emulator/sessions/${fingerprint}`)
  expect(await session.json()).toMatchObject({ material_id: 'post-2', user_email: 'desk@acme.example' })
  await writeFile(file, '[1]')
  const refused = await run('open', 'acme', 'post-2', '--metadata', file)
  expect([refused.code, refused.failure().code]).toStrictEqual([1, 'invalid_metadata'])
})

test('open with a service that is not there fails with its reason', async () => {
  const inLibrary = ['--json', '--library', room.library]
  const environment = { ...room.environment, GALLEY_SECRET_GONE: 'its secret' }
  const add = ['site', 'add', 'gone', '--base-url', 'http://127.0.0.1:9/x', '--api-key', 'k', ...inLibrary]
  await galley([...add, '--callback-url', 'http://127.0.0.1:9/callback/gone'], environment)
  const refused = await galley(['open', 'gone', 'post-1', ...inLibrary], environment)
  expect([refused.code, refused.failure().code]).toStrictEqual([1, 'service_unreachable'])
  await run('site', 'remove', 'gone')
})

test('materials: last saved first, each with its session', async () => {
  const listed = (await run('materials', 'acme')).json() as Record<string, unknown>[]
  const session = { session_id: text, url: text, last_access: moment, kept_until: moment }
  expect(listed).toStrictEqual([
    {
      site: 'acme',
      material_id: 'post-2',
      title: 'Other',
      slug: expect.toSatisfy((slug) => slug === null || typeof slug === 'string') as string,
      versions: 1,
      current_version_id: saved[2],
      saved_at: moment,
      session,
      review: { state: 'new', baseline: null, since: expect.any(String) as string },
      failed_save: null,
      online: [],
    },
    {
      site: 'acme',
      material_id: 'post-1',
      title: 'A title',
      slug: 'a-slug',
      versions: 2,
      current_version_id: saved[1],
      saved_at: moment,
      session,
      review: { state: 'new', baseline: null, since: expect.any(String) as string },
      failed_save: null,
      online: [],
    },
  ])
})

test('versions: newest first, the newest is current', async () => {
  const versions = (await run('versions', 'acme', 'post-1')).json() as Record<string, unknown>[]
  expect(versions.map((version) => [version['version_id'], version['current']])).toStrictEqual([
    [saved[1], true],
    [saved[0], false],
  ])
  expect(versions[0]).toStrictEqual({
    site: 'acme',
    material_id: 'post-1',
    version_id: saved[1],
    version_cdate: moment,
    received_at: moment,
    user_email: 'editor@acme.example',
    media_count: 1,
    bytes: number,
    html_sha256: hash,
    archive_sha256: hash,
    kept_sha256: hash,
    current: true,
    number: 2,
    verdict: null,
    note: '',
    pinned: false,
    tags: [],
    warnings: [],
    public_urls: { 'hero.png': expect.stringContaining('/media/') as string },
  })
  expect((await run('versions', 'acme', 'never-opened')).json()).toStrictEqual([])
})

test('show version prints the version, or one part of it', async () => {
  const show = async (...part: string[]) => {
    const ran = await run('show', 'version', 'acme', 'post-1', saved[0] ?? '', ...part)
    expect(ran.code, ran.stderr).toBe(0)
    return ran.json() as Record<string, unknown>
  }
  expect(await show()).toStrictEqual(((await run('versions', 'acme', 'post-1')).json() as object[])[1])
  const { media } = (await show('--media')) as { media: { url: string }[] }
  expect(media).toStrictEqual([{ name: 'hero.png', bytes: 16, sha256: hash, url: text }])
  const url = media[0]?.url ?? ''
  expect(await (await fetch(url)).text()).toBe('picture of First')
  expect(await show('--html')).toStrictEqual({ html: aPage('First').html.replace('dummy-hero.png', url) })
  const { state } = (await show('--state')) as { state: string }
  expect(JSON.parse(state)).toMatchObject({ heading: 'First', assets: { 'hero.png': { clientUrl: url } } })
  expect(await show('--metadata')).toMatchObject({ metadata: { version_id: saved[0] } })
})

test('asking for two parts at once is wrong usage, an unknown version fails', async () => {
  const two = await run('show', 'version', 'acme', 'post-1', saved[0] ?? '', '--html', '--state')
  expect([two.code, two.failure().code]).toStrictEqual([2, 'usage'])
  const none = await run('show', 'version', 'acme', 'post-1', 'v0')
  expect([none.code, none.failure().code]).toStrictEqual([1, 'unknown_version'])
})

test('fonts lists the snapshots, whose CSS is served', async () => {
  const [snapshot, ...rest] = (await run('fonts', 'acme')).json() as { css_url: string }[]
  expect(rest).toStrictEqual([])
  expect(snapshot).toStrictEqual({
    site: 'acme',
    snapshot_id: snapshotId,
    received_at: moment,
    files: ['inter.woff2'],
    css_url: text,
    archive_sha256: hash,
  })
  const css = await (await fetch(snapshot?.css_url ?? '')).text()
  expect(css).not.toContain('dummy-')
  expect(css).toContain('@font-face')
})

test('callbacks: newest first, filtered, limited, each with every member', async () => {
  const all = (await run('callbacks')).json() as Record<string, unknown>[]
  expect(all.map(({ outcome }) => outcome)).toStrictEqual(['rejected', 'stored', 'stored', 'stored', 'stored'])
  expect(all[4]).toStrictEqual({
    id: text,
    site: 'acme',
    received_at: moment,
    kind: 'article_saved',
    material_id: 'post-1',
    content_url: expect.stringContaining('/download/media/') as string,
    signature: 'valid',
    outcome: 'stored',
    http_status: 200,
    rc: 1,
    code: null,
    rm: 'Saved successfully',
    version_id: saved[0],
    duplicate_of: null,
    steps: expect.any(Array) as unknown[],
  })
  const { steps } = all[4] as { steps: { name: string; ms: number }[] }
  expect(steps.length).toBeGreaterThan(2)
  for (const step of steps) expect(step).toStrictEqual({ name: text, ms: number })
  const turnedAway = { signature: 'invalid', code: 'invalid_signature', http_status: 400, rc: 0 }
  expect(all[0]).toMatchObject({ ...turnedAway, steps: [{ name: 'verify', ms: number }] })
  expect(all[1]).toMatchObject({ kind: 'site_fonts_updated', version_id: snapshotId })

  expect((await run('callbacks', '--outcome', 'rejected')).json()).toStrictEqual([all[0]])
  expect((await run('callbacks', '--site', 'acme', '--limit', '2')).json()).toStrictEqual(all.slice(0, 2))
  expect((await run('callbacks', '--site', 'gone')).json()).toStrictEqual([])
  expect((await run('callbacks', 'show', String(all[4]?.['id']))).json()).toStrictEqual({ ...all[4], debug: false })
})

test('listen has printed every callback, with its time', async () => {
  const all = (await run('callbacks')).json() as Record<string, unknown>[]
  const told = room.listener.lines.slice(1)
  expect(told).toStrictEqual(all.toReversed().map((record) => ({ event: 'callback', ...record, ms: number })))
})

test('callbacks replay --dry-run prints the result, and changes nothing', async () => {
  const stored = (await run('callbacks', '--outcome', 'stored')).json() as { id: string; version_id: string }[]
  const { id, version_id } = stored.at(-1) ?? { id: '', version_id: '' }
  const before = await run('versions', 'acme', 'post-1')
  const replayed = await run('callbacks', 'replay', id, '--dry-run')
  const end = { outcome: text, code: null, rm: 'Saved successfully', version_id }
  expect([replayed.code, replayed.json()]).toStrictEqual([0, { before: { ...end, outcome: 'stored' }, after: end }])
  expect((await run('versions', 'acme', 'post-1')).stdout).toBe(before.stdout)
  const [rejected] = (await run('callbacks', '--outcome', 'rejected')).json() as { id: string }[]
  expect((await run('callbacks', 'replay', rejected?.id ?? '', '--dry-run')).json()).toMatchObject({
    after: { outcome: 'rejected', code: 'invalid_signature' },
  })
})

test('show version prints the numbers of metadata as they are stored', async () => {
  const file = join(room.folder, 'numbers.json')
  const numbers = '"large":12345678901234567890,"exact":1.0'
  await writeFile(file, `{${numbers}}`)
  const { fingerprint } = (await run('open', 'acme', 'numbers', '--metadata', file)).json() as { fingerprint: string }
  const { version_id } = await room.save(fingerprint, aPage('Numbers'))
  const ran = await run('show', 'version', 'acme', 'numbers', version_id ?? '', '--metadata')
  expect(ran.stdout).toContain(numbers)
})
