import { describe, expect, it } from 'vitest'

import type { CarePorts } from '../../../packages/library/care/ports.ts'
import { prune as pruneIn } from '../../../packages/library/care/prune.ts'
import type { FieldsToSet } from '../../../packages/library/records/fields.ts'
import type { Retention } from '../../../packages/library/views/health.ts'
import { fail } from '../../../packages/wire/result.ts'
import { aVerdict } from '../../support/a-verdict.ts'
import { anExport } from '../../support/logged-export.ts'
import type { CaredLibrary } from './library.ts'
import { aCaredLibrary, aRun, reportOf, someFiles } from './library.ts'

const none = { current: 0, outgoing: 0, pinned: 0, approved: 0, tagged: 0, noted: 0, exported: 0 }

const prune = ({ care }: CaredLibrary, retention: Partial<Retention>, dryRun = false, site: string | null = null) =>
  reportOf(care.prune({ site, retention: { keepVersions: null, keepDays: null, ...retention }, dryRun }, aRun()))

const versionsOf = ({ index }: CaredLibrary) => index.versions.list('acme', 'post-1').map(({ versionId }) => versionId)

/** Versions v1 to vN of one material, v1 a hundred days old and each later one ten days younger. */
async function withHistory(count: number) {
  const start = Date.now()
  let moment = start
  const library = await aCaredLibrary(() => new Date(moment))
  for (let at = 1; at <= count; at += 1) {
    moment = start - (110 - at * 10) * 86_400_000
    const files = { ...someFiles(`v${at}`), 'same.png': 'same' }
    await library.save({ versionId: `v${at}`, versionCdate: new Date(moment).toISOString(), files })
  }
  moment = start
  const mark = (versionId: string, marks: FieldsToSet<'version'>) =>
    library.index.fields.set('version', 'acme', [{ materialId: 'post-1', versionId }], marks)
  return { ...library, mark }
}

describe('pruning', () => {
  it('deletes nothing without a rule', async () => {
    const library = await withHistory(2)
    expect(await prune(library, {})).toMatchObject({ versions: 0, files: 0, protected: none })
    expect(versionsOf(library)).toEqual(['v2', 'v1'])
  })

  it.each<[Partial<Retention>, readonly string[]]>([
    [{ keepVersions: 2 }, ['v5', 'v4']],
    [{ keepDays: 75 }, ['v5', 'v4']],
    [{ keepVersions: 4, keepDays: 75 }, ['v5', 'v4', 'v3', 'v2']],
    [{ keepVersions: 1, keepDays: 1 }, ['v5']],
  ])('keeps what either rule keeps: %j', async (rule, left) => {
    const library = await withHistory(5)
    const foretold = await prune(library, rule, true)
    expect(versionsOf(library)).toHaveLength(5)
    expect(foretold).toMatchObject({ isDryRun: true, versions: 5 - left.length, protected: none })
    expect(foretold.list.map(({ versionId }) => versionId)).toEqual(
      ['v4', 'v3', 'v2', 'v1'].filter((each) => !left.includes(each)),
    )
    const done = await prune(library, rule)
    expect(done).toEqual({ ...foretold, isDryRun: false })
    expect(done.files).toBeGreaterThan(0)
    expect(versionsOf(library)).toEqual(left)
    const whole = await reportOf(library.care.check({ repair: false }, aRun()))
    expect(whole).toMatchObject({ ok: true, findings: [] })
    expect(library.index.materials.find('acme', 'post-1')).toMatchObject({
      versions: left.length,
      currentVersionId: 'v5',
    })
    expect(await prune(library, rule)).toMatchObject({ versions: 0, files: 0, bytes: 0 })
  })

  it('never deletes the version that is published instead of the current one', async () => {
    const library = await withHistory(4)
    library.mark('v4', { verdict: aVerdict('changes_requested') })
    await library.know('post-2')
    await library.save({ materialId: 'post-2', versionId: 'w1', files: {} })
    expect(await prune(library, { keepVersions: 1 })).toMatchObject({
      versions: 2,
      protected: { ...none, outgoing: 1 },
    })
    expect(versionsOf(library)).toEqual(['v4', 'v3'])
    library.index.publishing.change('acme', { outgoing: 'all' })
    expect(await prune(library, { keepVersions: 1 })).toMatchObject({ versions: 1, protected: none })
  })

  it('never deletes current, marked and exported versions, and counts them', async () => {
    const library = await withHistory(8)
    const { mark } = library
    mark('v1', { pinned: true })
    mark('v2', { verdict: aVerdict('approved') })
    mark('v3', { verdict: aVerdict('changes_requested') })
    mark('v4', { tags: ['launch'] })
    mark('v5', { note: 'look here' })
    library.index.commit.now(() => [
      {
        kind: 'exported',
        id: 'e',
        site: 'acme',
        at: '2026-11-01T10:00:00.000Z',
        ...anExport,
        pages: [{ materialId: 'post-1', versionId: 'v6' }],
      },
    ])
    const report = await prune(library, { keepDays: 1 })
    expect(report).toMatchObject({
      versions: 2,
      protected: { current: 1, pinned: 1, approved: 1, tagged: 1, noted: 1, exported: 1 },
    })
    expect(versionsOf(library)).toEqual(['v8', 'v6', 'v5', 'v4', 'v2', 'v1'])
  })

  it('checks protection again just before it deletes', async () => {
    const library = await withHistory(3)
    const { retention } = library.index
    const material = retention.nextGrown(0, null)
    const rows = retention.history(material?.row ?? 0).map(({ row }) => row)
    library.mark('v1', { pinned: true })
    expect(retention.remove(rows)).toBe(1)
    expect(versionsOf(library)).toEqual(['v3', 'v1'])
  })

  it('deletes nothing of other sites if a site is given', async () => {
    const library = await withHistory(3)
    expect(await prune(library, { keepVersions: 1 }, false, 'other')).toMatchObject({ versions: 0 })
    expect(await prune(library, { keepVersions: 1 }, false, 'acme')).toMatchObject({ versions: 2 })
  })

  it('deletes the delivery of a version too, so that a repeated one is stored again', async () => {
    const library = await aCaredLibrary()
    const first = await library.save({ versionId: 'v1', versionCdate: '2026-01-01T00:00:00Z' })
    await library.save({ versionId: 'v2', versionCdate: '2026-01-02T00:00:00Z' })
    await prune(library, { keepVersions: 1 })
    expect(versionsOf(library)).toEqual(['v2'])
    const again = await first.again()
    expect(again.text).toBe(first.answer.text)
    expect(versionsOf(library)).toEqual(['v2', 'v1'])
  })

  it('reports the number of deleted versions if their files could not be deleted', async () => {
    const library = await withHistory(3)
    const vault = { ...library.vault, deleteDropped: () => Promise.resolve({ files: [], bytes: 0, left: 1 }) }
    const ports = { ...library, vault } as unknown as CarePorts
    const options = { site: null, retention: { keepVersions: 1, keepDays: null }, dryRun: false }
    expect(await pruneIn(ports, options, aRun())).toEqual(fail({ code: 'busy', state: 'pruned' }))
    expect(versionsOf(library)).toEqual(['v3'])
    // Nothing was deleted this time, so only the remaining files are reported.
    expect(await pruneIn(ports, options, aRun())).toEqual(fail({ code: 'busy' }))
  })
})

describe('deleting materials', () => {
  const remove = ({ care }: CaredLibrary, materialIds: readonly string[], dryRun = false) =>
    reportOf(care.deleteMaterials({ site: 'acme', materialIds, dryRun }, aRun()))

  it('deletes every version, even protected ones, and forecasts the freed space', async () => {
    const library = await withHistory(3)
    library.mark('v1', { pinned: true })
    library.index.commit.now(() => [
      {
        kind: 'exported',
        id: 'e',
        site: 'acme',
        at: '2026-11-01T10:00:00.000Z',
        ...anExport,
        pages: [{ materialId: 'post-1', versionId: 'v3' }],
      },
    ])
    const foretold = await remove(library, ['post-1', 'gone'], true)
    expect(foretold).toMatchObject({ isDryRun: true, versions: 3, protected: none })
    expect(versionsOf(library)).toHaveLength(3)
    expect(await remove(library, ['post-1', 'gone'])).toEqual({ ...foretold, isDryRun: false })
    expect(library.index.counts()).toEqual({ materials: 0, versions: 0 })
    expect(library.index.totals()).toMatchObject({ files: 0 })
    const whole = await reportOf(library.care.check({ repair: false }, aRun()))
    expect(whole).toMatchObject({ ok: true, findings: [] })
    expect(await remove(library, ['post-1'])).toMatchObject({ versions: 0, files: 0 })
  })

  it('keeps a picture that the page of another material uses', async () => {
    const library = await aCaredLibrary()
    await library.know('post-2')
    await library.save({ materialId: 'post-1', versionId: 'v1', files: { 'a.png': 'picture' } })
    const [picture] = library.index.versions.media('acme', 'post-1', 'v1')
    const html = `<img src="${picture?.url}">`
    await library.save({ materialId: 'post-2', versionId: 'w1', html, files: {} })
    const foretold = await remove(library, ['post-1'], true)
    expect(await remove(library, ['post-1'])).toEqual({ ...foretold, isDryRun: false })
    const { sha256 = '', name = '' } = picture ?? {}
    expect(library.index.versions.mediaByAddress(sha256.slice(0, 32), name)).toMatchObject({ sha256 })
    const whole = await reportOf(library.care.check({ repair: false }, aRun()))
    expect(whole).toMatchObject({ ok: true, findings: [] })
    // It is deleted together with the page that uses it.
    await remove(library, ['post-2'])
    expect(library.index.totals()).toMatchObject({ files: 0 })
  })
})
