import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { workForm } from '../../../packages/sites/bundle/render/pages.ts'
import type { ExportOptions } from '../../../packages/sites/exporting/export-bundle.ts'
import { exportBundle } from '../../../packages/sites/exporting/export-bundle.ts'
import { withPageCache } from '../../../packages/sites/exporting/page-cache.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import { contentsOf, temporaryFolder } from './folders.ts'
import { createFilledLibrary, createSampleLibrary, plainOptions } from './sample-library.ts'

type Library = ReturnType<typeof createSampleLibrary>

const themeAt = (name: string) => join(import.meta.dirname, '../../../resources/themes', name)
const magazine = { ...plainOptions, themes: [themeAt('magazine'), themeAt('default')] }

/** Exports with and without a cache. Returns how many stored pages were read with it. */
async function both(library: Library, cacheFolder: string, options: ExportOptions = plainOptions) {
  const source = library.source()
  const pages = new Set<Sha256>(source.pages.map(({ version }) => version.html))
  let read = 0
  const counting = (sha256: Sha256) => {
    read += Number(pages.has(sha256))
    return source.openBlob(sha256)
  }
  const [cached, plain] = [temporaryFolder(), temporaryFolder()]
  const reports = [
    await exportBundle({
      source: { ...source, openBlob: counting, cacheFolder },
      target: { kind: 'folder', directory: cached },
      options,
    }),
    await exportBundle({ source, target: { kind: 'folder', directory: plain }, options }),
  ]
  expect(reports[0]).toEqual(reports[1])
  expect(reports[0]).toMatchObject({ ok: true })
  expect(contentsOf(cached)).toEqual(contentsOf(plain))
  return read
}

/** Pages with files, anchors and links between them; `about` moves, disappears and returns. */
function linkedPages(title: string | null) {
  const library = createFilledLibrary()
  const file = library.media('plan.pdf', 'a plan')
  library.save(
    '3',
    `<p>To <a href="galley:material/4#part">that</a>, <a href="${file.url}">it</a>, dummy-lost.png</p>`,
    [file],
  )
  if (title !== null) library.save('4', '<h2 id="part">Part</h2><a href="galley:material/3">back</a>', [], title)
  return library
}

test('an export with a cache has the same bytes and findings after any change, and reads no page twice', async () => {
  const folder = temporaryFolder()
  expect(await both(linkedPages('About'), folder)).toBe(8)
  expect(await both(linkedPages('About'), folder)).toBe(0)
  // Another theme changes every page, and none of the stored ones is read.
  expect(await both(linkedPages('About'), folder, magazine)).toBe(0)
  // Another title moves nothing, another base URL changes the form of links, a lost page their targets.
  expect(await both(linkedPages('Us'), folder)).toBe(0)
  expect(await both(linkedPages('Us'), folder, { ...plainOptions, baseUrl: 'https://a.example/b/' })).toBeGreaterThan(0)
  expect(await both(linkedPages(null), folder)).toBe(1)
  await both(linkedPages('About'), folder)
})

test('a truncated, damaged or foreign cache only costs time', async () => {
  const folder = temporaryFolder()
  const library = linkedPages('About')
  await both(library, folder)
  const [name = ''] = readdirSync(folder)
  const file = join(folder, name)
  const whole = readFileSync(file)
  for (const at of [40, 400, whole.length - 300, whole.length - 5]) {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(file, bytes)
    await both(library, folder)
  }
  for (const length of [0, 10, whole.length - 1]) {
    writeFileSync(file, whole)
    truncateSync(file, length)
    await both(library, folder)
  }
  expect(readdirSync(folder)).toEqual([name])
  // A place where no file can be created.
  await both(library, join(file, 'below'))
})

test('two concurrent exports leave a whole cache: that of the last one', async () => {
  const folder = temporaryFolder()
  const source = { ...linkedPages('About').source(), cacheFolder: folder }
  await withPageCache(source, async (cache) => cache.add('first', 1))
  const reading = Promise.withResolvers<undefined>()
  const isRead = Promise.withResolvers<undefined>()
  const reader = await withPageCache(source, async (cache) => {
    await withPageCache(source, async (other) => other.add('second', 2))
    expect(cache.get('first')).toBe(1)
    cache.add('third', 3)
    const opened = withPageCache(source, async (later) => {
      reading.resolve(undefined)
      await isRead.promise
      return later.get('second')
    })
    await reading.promise
    return { opened }
  })
  isRead.resolve(undefined)
  // A reader keeps what it has opened.
  expect(await reader.opened).toBe(2)
  // The last one wins, with all that it knew.
  await withPageCache(source, async (cache) => {
    expect([cache.get('first'), cache.get('third')]).toEqual([1, 3])
    cache.add('fourth', 4)
  })
  await withPageCache(source, async (cache) => {
    expect(['first', 'second', 'third', 'fourth'].map((key) => cache.get(key))).toEqual([1, null, 3, 4])
  })
})

test('the cache keeps the current pages of the site and drops earlier ones', async () => {
  const folder = temporaryFolder()
  const size = () => readdirSync(folder).reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0)
  const library = createSampleLibrary()
  const sizes: number[] = []
  for (let round = 0; round < 12; round += 1) {
    library.save('1', `<p>${`Round ${round}. `.repeat(2000)}</p>`)
    await both(library, folder)
    sizes.push(size())
  }
  expect(Math.max(...sizes)).toBeLessThan(5 * (sizes[0] ?? 0))
})

test('cached results have a fixed form: if it changes, raise workForm and update the hash in this test', async () => {
  const out = temporaryFolder()
  const done = await exportBundle({
    source: { ...linkedPages('About').source(), cacheFolder: temporaryFolder() },
    target: { kind: 'folder', directory: out },
    options: { ...plainOptions, themes: [bareTheme()] },
  })
  expect(done).toMatchObject({ ok: true })
  const pages = Object.entries(contentsOf(out)).filter(([path]) => path.startsWith('page-'))
  const hash = createHash('sha256').update(JSON.stringify(pages)).digest('hex')
  expect([workForm, hash.slice(0, 16)]).toEqual([15, '96f80787c54bfcba'])
})

/** Renders only the content of pages. */
function bareTheme(): string {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'theme.json'),
    JSON.stringify({ name: 'bare', label: 'Bare', version: '1.0', settings: [] }),
  )
  for (const name of ['page', 'home', 'list', 'tags', 'archive', 'search', '404'])
    writeFileSync(join(folder, `${name}.html`), '{{ content }}')
  return folder
}
