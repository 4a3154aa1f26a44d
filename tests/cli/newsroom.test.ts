import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { ok } from '../../src/contract/result.ts'
import { withTargetLock } from '../../src/main/use-cases/exporting/target-lock.ts'
import { openGalley } from '../support/open-galley.ts'
import { send } from '../support/test-galley.ts'
import { readWithYauzl } from '../support/unzip.ts'
import type { AtEnd } from './support/cli.ts'
import { galley } from './support/cli.ts'
import { aNewsroom, aPage } from './support/library.ts'

// The commands that read a library in which something has happened: two saves of one material, one of another, a font
// set, a refused save.

const text = expect.any(String) as string
const number = expect.any(Number) as number
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) as string
const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string

const ends: (() => Promise<void>)[] = []
const atEnd: AtEnd = (clean) => void ends.unshift(clean)
let room: Awaited<ReturnType<typeof aNewsroom>>
let opened: Record<string, unknown>
const saved: string[] = []
let snapshotId = ''

beforeAll(async () => {
  room = await aNewsroom({ atEnd })
  const ran = await room.run('open', 'acme', 'post-1', '--title', 'A title', '--slug', 'a-slug')
  opened = ran.json() as Record<string, unknown>
  const other = (await room.run('open', 'acme', 'post-2')).json() as { fingerprint: string }
  for (const [fingerprint, heading] of [
    [String(opened['fingerprint']), 'First'],
    [String(opened['fingerprint']), 'Second'],
    [other.fingerprint, 'Other'],
  ] as const) {
    const done = await room.save(fingerprint, aPage(heading))
    expect(done.result).toBe('merged')
    saved.push(done.version_id ?? '')
  }
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

test('two parts at a time are wrong usage, an unknown version fails', async () => {
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
  expect((await run('callbacks', 'show', String(all[4]?.['id']))).json()).toStrictEqual(all[4])
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
  const judge = async (kind: 'rejected' | null) => {
    const opened = await openGalley({ folder: room.library })
    const verdict = kind && { kind, note: '' }
    opened.index.versionList.mark('acme', 'post-2', saved[2] ?? '', { verdict }, new Date().toISOString())
    await opened.close()
  }
  await judge('rejected')
  await run('material', 'archive', 'acme', 'post-1')
  expect(await inWords()).toStrictEqual([
    `Not exported: post-1, version ${saved[1]} (archived); no version of it is exported`,
    `Not exported: post-2, version ${saved[2]} (changes requested); no version of it is exported`,
  ])
  await judge(null)
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

test('export to a ZIP writes the same bytes twice, and contains no names of people', async () => {
  const [one, two] = [join(room.folder, 'one.zip'), join(room.folder, 'two.zip')]
  const first = await run('export', 'acme', '--out', one)
  expect([first.code, first.json()]).toStrictEqual([0, report])
  await run('export', 'acme', '--out', two)
  const bytes = await readFile(one)
  expect((await readFile(two)).equals(bytes)).toBe(true)
  const entries = await readWithYauzl(bytes)
  expect(Object.keys(entries)).toContain('index.html')
  for (const content of Object.values(entries)) expect(content.includes('editor@acme.example')).toBe(false)
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
