import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { restore } from '../../../../src/main/use-cases/care/restore.ts'
import { forgetSkippedEntries, skippedEntries } from '../../../../src/main/use-cases/care/skipped-entries.ts'
import { entryAround, lineAround } from '../../../support/hostile-entries.ts'
import { openGalley } from '../../../support/open-galley.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { aCaredLibrary, aRun, reportOf } from './library.ts'

it('entries that no Galley can use are skipped, named by fsck and told once; saves, backups and restores go on', async () => {
  const library = await aCaredLibrary()
  const { index, care, now } = library
  await library.save({ versionId: 'v1' })
  const session = {
    kind: 'material_opened',
    site: 'acme',
    materialId: 'post-1',
    title: 'A title',
    slug: null,
    sessionId: 's',
    fingerprint: 'f',
    url: 'https://svc.test/editor/f',
    at: 'nonsense',
    sentMetadata: '{}',
    callbackUrl: null,
  }
  const renamed = { kind: 'material_renamed', site: 'acme', materialId: 'post-1', title: 'Never shown', slug: 'x' }
  const segments = library.library.log.segments()
  const segment = library.library.log.fileOf(segments.at(-1) ?? 1)
  let end: { readonly position: number; readonly hash: string } = index.commit.mark()
  const first = end.position + 1
  for (const changes of [
    [renamed, session],
    [{ ...renamed, title: 'x'.repeat(20 * 1024 ** 2) }],
    [{ ...renamed, site: 7 }],
  ]) {
    const { bytes, hash } = lineAround(entryAround(end, JSON.stringify(changes)))
    appendFileSync(segment, bytes)
    end = { position: end.position + 1, hash }
  }
  await library.save({ versionId: 'v2' })
  expect(index.versions.list('acme', 'post-1').map(({ versionId }) => versionId)).toHaveLength(2)
  expect(index.materials.find('acme', 'post-1')?.title).not.toBe('Never shown')
  expect(index.lostEntries()).toEqual([])

  const expected = [
    { position: first, why: '1.at' },
    { position: first + 1, why: '0.title' },
    { position: first + 2, why: '0.site' },
  ]
  const report = await reportOf(care.check({ repair: false }, aRun()))
  expect(report.ok).toBe(true)
  expect(report.findings.map(({ kind, facts }) => ({ kind, facts }))).toEqual(
    expected.map((each) => ({ kind: 'entry_skipped', facts: { code: 'skipped', ...each } })),
  )
  expect(skippedEntries(index)).toEqual({ count: 3, first })
  forgetSkippedEntries(index)
  expect(skippedEntries(index)).toBe(null)
  expect(index.refusedEntries()).toEqual(expected)

  const file = join(await temporaryFolder(), 'library.galley-backup')
  await reportOf(care.backUp({ file }, aRun()))
  const folder = await temporaryFolder()
  expect(await reportOf(restore({ file, folder, now }, aRun()))).toMatchObject({ versions: 2, missing: [] })
  const restored = await openGalley({ folder })
  onTestFinished(restored.close)
  expect(restored.index.refusedEntries()).toEqual(expected)
})

it('a change out of the range of the log is refused before anything is written', async () => {
  const { index } = await aCaredLibrary()
  const { position } = index.commit.mark()
  const rename = () => index.materials.rename('acme', 'post-1', 'x'.repeat(1_001), 'slug')
  expect(rename).toThrow('title is too long, or not a value that the library stores')
  expect(index.commit.mark().position).toBe(position)
  expect(index.materials.rename('acme', 'post-1', 'x'.repeat(1_000), 'slug').ok).toBe(true)
})
