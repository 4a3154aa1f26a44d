import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { galleyProcess } from './support/cli.ts'
import { aLibrary, aNewsroom, aPage } from './support/library.ts'

const zones = ['America/New_York', 'Asia/Tokyo', 'UTC']

/** Every file below a folder with its bytes, in base64. */
async function bytesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).toSorted()
  return new Map(
    await Promise.all(paths.map(async (path) => [path.slice(folder.length), await readFile(path, 'base64')] as const)),
  )
}

test('pages have the days of the time zone of their site, and an export is the same on every computer', async () => {
  const room = await aNewsroom()
  const set = (...args: string[]) => room.run('site', 'publishing', 'acme', ...args)
  expect((await set('--time-zone', 'Europe/Atlantis')).code).toBe(2)
  await set('--base-url', 'https://acme.example')
  expect((await set('--time-zone', 'america/new_york')).json()).toMatchObject({ time_zone: 'America/New_York' })
  for (const [id, at, moment] of [
    ['ny', '2026-05-01T20:30', '2026-05-02T00:30:00.000Z'],
    ['msk', '2026-05-01T12:30:00+03:00', '2026-05-01T09:30:00.000Z'],
    ['nye', '2025-12-31 21:00', '2026-01-01T02:00:00.000Z'],
    ['day', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ] as const) {
    const { fingerprint } = (await room.run('open', 'acme', id)).json() as { fingerprint: string }
    expect((await room.save(fingerprint, aPage(id))).result).toBe('merged')
    expect((await room.run('page', 'acme', id, '--published', at)).json()).toMatchObject({
      published: moment,
      updated: null,
    })
  }
  const made: ReadonlyMap<string, string>[] = []
  for (const TZ of zones) {
    const out = join(room.folder, TZ.replace('/', '-'))
    const done = await galleyProcess(['export', 'acme', '--out', out, '--library', room.library, '--json'], {
      ...room.environment,
      TZ,
    })
    expect(done.code, done.stderr).toBe(0)
    made.push(await bytesIn(out))
  }
  expect(made[1]).toEqual(made[0])
  expect(made[2]).toEqual(made[0])
  const text = (path: string): string => Buffer.from(made[0]?.get(path) ?? '', 'base64').toString('utf8')
  const timeOf = (id: string) => /<time datetime="([^"]*)"[^>]*>([^<]*)/.exec(text(`/${id}/index.html`))?.slice(1)
  expect(timeOf('ny')).toEqual(['2026-05-01', 'May 1, 2026'])
  expect(timeOf('msk')).toEqual(['2026-05-01', 'May 1, 2026'])
  expect(timeOf('nye')).toEqual(['2025-12-31', 'December 31, 2025'])
  expect(timeOf('day')).toEqual(['2026-03-08', 'March 8, 2026'])
  expect(text('/ny/index.html')).not.toContain('Updated')
  expect([...(made[0]?.keys() ?? [])]).toEqual(
    expect.arrayContaining(['/archive/2025/index.html', '/archive/2026/index.html']),
  )
  expect(text('/feed.xml')).toContain('<published>2026-05-02T00:30:00.000Z</published>')
  expect(text('/sitemap.xml')).toContain('<lastmod>2025-12-31</lastmod>')

  // The zone is part of what decides a page: nothing of the last export is used again where a day changes.
  await set('--time-zone', 'Asia/Tokyo')
  await room.run('export', 'acme', '--out', join(room.folder, 'tokyo'))
  expect(await readFile(join(room.folder, 'tokyo/ny/index.html'), 'utf8')).toContain('May 2, 2026')
})

test('an update is shown once a later version is out, or as it is set', async () => {
  const room = await aNewsroom()
  const { fingerprint } = (await room.run('open', 'acme', 'old')).json() as { fingerprint: string }
  await room.save(fingerprint, aPage('First'))
  const page = async (...args: string[]) =>
    (await room.run('page', 'acme', 'old', ...args)).json() as { readonly updated: string | null }
  let exports = 0
  const shown = async () => {
    const out = join(room.folder, `out-${(exports += 1)}`)
    const done = await room.run('export', 'acme', '--out', out)
    expect(done.code, done.stderr).toBe(0)
    return /Updated <time datetime="([^"]*)"/.exec(await readFile(join(out, 'first/index.html'), 'utf8'))?.[1] ?? null
  }
  await page('--published', '2019-06-01', '--slug', 'first')
  expect([await shown(), await shown()]).toEqual([null, null])
  await room.save(fingerprint, aPage('Second'))
  const later = (await page()).updated
  expect(later).toMatch(/^20\d\d-.*Z$/)
  expect(await shown()).toMatch(/^20\d\d-/)
  expect((await page('--updated', 'none')).updated).toBe(null)
  expect(await shown()).toBe(null)
  expect((await page('--updated', '2020-02-03T00:00Z')).updated).toBe('2020-02-03T00:00:00.000Z')
  expect(await shown()).toMatch(/^2020-02-0/)
  expect((await page('--updated', 'auto')).updated).toBe(later)
})

test('a site is in the time zone of the computer that creates it, and stays there', async () => {
  const { library, environment, run } = await aLibrary()
  const add = ['site', 'add', 'acme', '--base-url', 'http://127.0.0.1:9', '--api-key', 'k']
  const on = (TZ: string, ...args: string[]) =>
    galleyProcess([...args, '--json', '--library', library], { ...environment, TZ })
  const added = await on('Asia/Tokyo', ...add, '--callback-url', 'http://127.0.0.1:8787/callback/acme')
  expect(added.code, added.stderr).toBe(0)
  const zone = async () => (await run('site', 'publishing', 'acme')).json()
  expect(await zone()).toMatchObject({ time_zone: 'Asia/Tokyo' })

  expect((await on('America/New_York', 'site', 'publishing', 'acme')).json()).toMatchObject({ time_zone: 'Asia/Tokyo' })
  expect((await on('Nowhere/Atall', 'site', 'publishing', 'acme')).code).toBe(0)
  expect(await zone()).toMatchObject({ time_zone: 'Asia/Tokyo' })
})
