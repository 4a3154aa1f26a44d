import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'

import type { BundleFile } from '../../../packages/sites/exporting/content.ts'
import type { ExportOptions } from '../../../packages/sites/exporting/export-bundle.ts'
import { prepareBundle } from '../../../packages/sites/exporting/export-bundle.ts'
import type { PageCache } from '../../../packages/sites/exporting/page-cache.ts'
import { noCache, withPageCache } from '../../../packages/sites/exporting/page-cache.ts'
import type { BundleSource } from '../../../packages/sites/exporting/source.ts'
import { unwatched } from '../../../packages/sites/exporting/watch.ts'
import type { SiteChange } from './changing-site.ts'
import { createChangingSite, themeCount, themeOf } from './changing-site.ts'
import { temporaryFolder } from './folders.ts'
import { createFilledLibrary, plainOptions } from './sample-library.ts'

afterEach(() => vi.restoreAllMocks())

/** All texts of an export by path, its hash and its findings. */
async function textsOf(source: BundleSource, options: ExportOptions, cache: PageCache = noCache) {
  const prepared = await prepareBundle(source, options, unwatched, cache)
  if (!prepared.ok) return prepared.failure
  const { files, sha256, links } = prepared.value.bundle
  const texts: Record<string, string> = {}
  for (const file of files) {
    const text = file.kind === 'text' ? await readText(file) : null
    if (text?.ok === true) texts[file.path] = text.value
    const hash = text?.ok === true ? createHash('sha256').update(text.value).digest('hex') : file.sha256
    expect([file.path, hash]).toEqual([file.path, file.sha256])
  }
  return { texts, sha256, links }
}

/** An export would go on without its cache if a known text were stale. */
async function readText(file: BundleFile & { readonly kind: 'text' }) {
  try {
    return await file.text()
  } catch (error) {
    throw new Error(`${file.path} is stale`, { cause: error })
  }
}

/** The same with the cache of a folder, and how many texts had to be rendered to know their hash. */
function cachedTextsOf(cacheFolder: string, source: BundleSource, options: ExportOptions) {
  return withPageCache({ ...source, cacheFolder }, async (cache) => {
    let rendered = 0
    const add: PageCache['add'] = (key, value) => {
      rendered += 1
      cache.add(key, value)
    }
    return { made: await textsOf(source, options, { ...cache, add }), rendered: () => rendered }
  })
}

const changes = fc.array(fc.tuple(fc.nat(29), fc.nat(6), fc.nat(30)) satisfies fc.Arbitrary<SiteChange>, {
  minLength: 1,
  maxLength: 12,
})

test('after any change, an export with known texts is the same as one without', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(themeCount - 1), changes, async (theme, all) => {
      const folder = temporaryFolder()
      const site = createChangingSite(theme)
      for (const change of [null, ...all]) {
        if (change !== null) site.change(change)
        const { made } = await cachedTextsOf(folder, site.source(), site.options())
        expect(made).toHaveProperty('texts')
        expect(made).toEqual(await textsOf(site.source(), site.options()))
      }
    }),
    { seed: 20_261_128, numRuns: Number(process.env['GALLEY_KNOWN_TEXTS'] ?? 12) },
  )
})

test('with nothing changed, no text is rendered, whatever is broken in it', async () => {
  const folder = temporaryFolder()
  const library = createFilledLibrary()
  library.save(
    '7',
    '<a href="../page-8/">a</a> <a href="#no">b</a> <a href="galley:material/1#no">c</a> dummy-lost.png <img src="../no.png">',
  )
  // Neighbours of the page that comes later.
  for (const id of ['71', '72']) library.save(id, '<p>Between</p>')
  const source = library.source()
  const first = await cachedTextsOf(folder, source, plainOptions)
  expect(first.rendered()).toBeGreaterThan(5)
  const second = await cachedTextsOf(folder, source, plainOptions)
  expect(second).toMatchObject({ made: first.made })
  const refs = (found: typeof first.made): unknown => 'texts' in found && found.links.broken.map(({ ref }) => ref)
  expect(refs(second.made)).toEqual([
    '../page-8/', '../no.png', 'dummy-lost.png', 'dummy-lost.png', '#no', '../page-1/index.html#no',
  ]) // prettier-ignore
  expect(second.rendered()).toBe(0)
  library.save('8', '<p>What was missing</p>')
  const { made } = await cachedTextsOf(folder, library.source(), plainOptions)
  expect(made).toEqual(await textsOf(library.source(), plainOptions))
  expect(refs(made)).not.toContain('../page-8/')
})

test('a text that depends on the time or on chance is rendered each time', async () => {
  const folder = temporaryFolder()
  const source = createFilledLibrary().source()
  for (const printed of ['"now" | date: "%s"', '"today" | date_to_xmlschema', '"a b c" | split: " " | sample']) {
    const options = { ...plainOptions, themes: [themeOf(`{{ head }}{{ content }}{{ ${printed} }}`)] }
    for (const [time, chance] of [
      [Date.UTC(2026, 1, 1), 0.1],
      [Date.UTC(2027, 1, 1), 0.9],
    ] as const) {
      vi.spyOn(Date, 'now').mockReturnValue(time)
      vi.spyOn(Math, 'random').mockReturnValue(chance)
      const { made } = await cachedTextsOf(folder, source, options)
      expect(made).toEqual(await textsOf(source, options))
    }
  }
})
