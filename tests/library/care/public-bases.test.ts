import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { rebuildLibrary } from '../../../packages/library/care/rebuild.ts'
import { restore } from '../../../packages/library/care/restore.ts'
import { exportBundle } from '../../../packages/sites/exporting/export-bundle.ts'
import { librarySource } from '../../../packages/sites/exporting/library-source.ts'
import { createVersionPages } from '../../../src/main/review/version-pages.ts'
import { plainOptions } from '../../sites/exporting/sample-library.ts'
import { openGalley } from '../../support/open-galley.ts'
import type { TestGalley } from '../../support/test-galley.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { aCaredLibrary, aRun, reportOf } from './library.ts'

type Galley = Pick<TestGalley['galley'], 'index' | 'vault' | 'background' | 'care'>

const oldBase = 'https://old.example'

/** Expects that the file at an old public address is exported, shown, and reported by a check if it is missing. */
async function expectKnown({ index, vault, background, care }: Galley, gone: string): Promise<void> {
  const site = index.sites.find('acme')
  const choice = { materials: [], pins: new Map<string, string>(), at: new Date() }
  const source = site && (await librarySource(index, vault, site, choice))
  if (!source?.ok) throw new Error('The site cannot be exported')
  const directory = join(await temporaryFolder(), 'out')
  const done = await exportBundle({
    source: source.value,
    target: { kind: 'folder', directory },
    options: plainOptions,
  })
  if (!done.ok) expect.fail(JSON.stringify(done.failure))
  const pages = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.html'))
  const texts = await Promise.all(pages.map((name) => readFile(join(directory, name), 'utf8')))
  expect(texts.join('').match(/https:\/\/old\.example\S*\.png/g)).toEqual([gone])
  expect(await readdir(join(directory, 'media'))).toEqual([expect.stringMatching(/picture\.png$/)])

  const page = await createVersionPages(index, vault, background).make({
    site: 'acme',
    materialId: 'post-1',
    versionId: 'second',
  })
  if (!page.ok) throw new Error(page.failure.code)
  expect(page.value.shown.unshown).toEqual([{ why: 'missing', count: 1, names: [gone] }])
  const { findings } = await reportOf(care.check({ repair: false }, aRun()))
  expect(findings.map(({ kind }) => kind)).toEqual(['reference_missing'])
}

it('an earlier public address of a site stays known after the saves that were stored under it are deleted', async () => {
  const library = await aCaredLibrary()
  const { care, folder, index } = library
  const site = index.sites.find('acme')
  if (!site) throw new Error('There is no site')
  library.changeSite({ publicUrl: oldBase })
  await library.save({ versionId: 'first', versionCdate: '2024-01-01T00:00:00Z', files: { 'picture.png': 'picture' } })
  library.changeSite({ publicUrl: site.publicUrl })
  const url = index.versions.find('acme', 'post-1', 'first')?.publicUrls['picture.png'] ?? ''
  expect(url).toMatch(/^https:\/\/old\.example\/media\//)
  const gone = `${oldBase}/media/${'0'.repeat(32)}/gone.png`
  const html = `<img src="${url}"><img src="${gone}">`
  await library.save({ versionId: 'second', versionCdate: '2024-01-02T00:00:00Z', html, files: {} })
  await expectKnown(library, gone)
  const pruneOptions = { site: null, retention: { keepVersions: 1, keepDays: null }, dryRun: false }
  expect(await reportOf(care.prune(pruneOptions, aRun()))).toMatchObject({ versions: 1 })
  await expectKnown(library, gone)

  const file = join(await temporaryFolder(), 'all.galley-backup')
  await reportOf(care.backUp({ file }, aRun()))
  await library.close()
  for (const from of ['log', 'index'] as const) {
    await rebuildLibrary(folder, { from, now: () => new Date() })
    const galley = await openGalley({ folder })
    await expectKnown(galley, gone)
    await galley.close()
  }
  const copy = join(await temporaryFolder(), 'restored')
  await reportOf(restore({ file, folder: copy, now: () => new Date() }, aRun()))
  const restored = await openGalley({ folder: copy })
  await expectKnown(restored, gone)
  await restored.close()
})
