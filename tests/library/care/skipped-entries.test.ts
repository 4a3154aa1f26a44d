import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { rebuildLibrary } from '../../../packages/library/care/rebuild.ts'
import { restore } from '../../../packages/library/care/restore.ts'
import { forgetSkippedEntries, skippedEntries } from '../../../packages/library/care/skipped-entries.ts'
import type { Change } from '../../../packages/library/records/changes.ts'
import { entryAround, lineAround } from '../../support/hostile-entries.ts'
import { openGalley } from '../../support/open-galley.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { renamed } from '../log/renamed.ts'
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
  const segments = library.library.log.segments()
  const segment = library.library.log.fileOf(segments.at(-1) ?? 1)
  let end: { readonly position: number; readonly hash: string } = index.commit.mark()
  const first = end.position + 1
  for (const changes of [
    [renamed('Never shown'), session],
    [renamed('x'.repeat(20 * 1024 ** 2))],
    [{ ...renamed('Never shown'), site: 7 }],
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
    { position: first + 1, why: '0.set.title' },
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

it('an entry that names another library is named by fsck and changes nothing', async () => {
  const { index, library, folder, care, close } = await aCaredLibrary()
  const own = index.library()
  const end = index.commit.mark()
  const changes = JSON.stringify([{ kind: 'library_named', library: 'a-strangers', at: '2026-11-29T10:00:00.000Z' }])
  appendFileSync(library.log.fileOf(library.log.segments().at(-1) ?? 1), lineAround(entryAround(end, changes)).bytes)
  index.commit.follow()
  expect([index.library(), index.commit.mark().position]).toEqual([own, end.position + 1])
  const { ok, findings } = await reportOf(care.check({ repair: false }, aRun()))
  const facts = { code: 'skipped', position: end.position + 1, why: 'library' }
  expect([ok, findings.map((each) => [each.kind, each.facts])]).toEqual([true, [['entry_skipped', facts]]])
  await close()
  await rebuildLibrary(folder, { from: 'log', now: () => new Date() })
  const again = await openGalley({ folder })
  onTestFinished(again.close)
  expect([again.index.library(), again.library.state]).toEqual([own, 'whole'])
})

it.each<[string, Change]>([
  [
    'a tag',
    {
      kind: 'fields_set',
      record: 'material',
      site: 'acme',
      of: [{ materialId: 'post-1' }],
      set: { tags: { add: ['x'.repeat(201)], remove: [] } },
    },
  ],
  [
    'tags of a version',
    {
      kind: 'fields_set',
      record: 'version',
      site: 'acme',
      of: [{ materialId: 'post-1', versionId: 'v1' }],
      set: { tags: Array.from({ length: 51 }, (_, at) => String(at)) },
    },
  ],
  [
    'the address of an editor',
    {
      kind: 'material_opened',
      site: 'acme',
      materialId: 'post-1',
      title: null,
      slug: null,
      sessionId: 's',
      fingerprint: 'f',
      url: `https://svc.test/${'x'.repeat(10_000)}`,
      at: '2026-11-29T10:00:00.000Z',
      sentMetadata: '{}',
      callbackUrl: 'https://site.test/callback/acme',
    },
  ],
])('%s is at most as long as a list can show', async (_what, change) => {
  const { index } = await aCaredLibrary()
  expect(() => index.commit.now(() => [change])).toThrow('too long')
})

it('a change out of the range of the log is refused before anything is written', async () => {
  const { index } = await aCaredLibrary()
  const { position } = index.commit.mark()
  const rename = () => index.materials.rename('acme', 'post-1', 'x'.repeat(1_001), 'slug')
  expect(rename).toThrow('title is too long, or not a value that the library stores')
  expect(index.commit.mark().position).toBe(position)
  expect(index.materials.rename('acme', 'post-1', 'x'.repeat(1_000), 'slug').ok).toBe(true)
})
