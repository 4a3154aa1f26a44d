import { describe, expect, it } from 'vitest'

import { compareIndexes } from '../../../../packages/library/db/open/compare-index.ts'
import { hasValuesOfLog } from '../../../../packages/library/db/open/values-of-log.ts'
import { logStart } from '../../../../packages/library/log/mark.ts'
import { entryKey } from '../../../../packages/library/team/keys.ts'
import type { MaterialQuery } from '../../../../packages/library/views/materials.ts'
import type { SiteId } from '../../../../packages/wire/ids.ts'
import { entryAround, hostileChanges, lineAround } from '../../../support/hostile-entries.ts'
import { diceFrom } from '../../../support/random-values.ts'
import { aStored, expectSameAsLog } from '../committed.ts'
import { acme } from '../sample.ts'
import type { Member } from './members.ts'
import { aMember, aTeamBucket, copyOf, runOn } from './members.ts'

/** More for a long run: `GALLEY_FUZZ_ENTRIES=10000`. `GALLEY_FUZZ_SEED` repeats a run. */
const rounds = Number(process.env['GALLEY_FUZZ_ENTRIES'] ?? 300)
const firstSeed = Number(process.env['GALLEY_FUZZ_SEED'] ?? 1)
const entriesEach = 100

const ofSite = (site: SiteId): MaterialQuery => ({
  site,
  text: '',
  filters: { statuses: [], tags: [], editors: [], savedAfter: null, savedBefore: null, archived: false },
  sort: { by: 'title', direction: 'up' },
  offset: 0,
  limit: 500,
})

/** Reads what lists, details, exports and publications read. */
function readEverything({ index, library }: Member): void {
  index.counts()
  index.targets.all().forEach(({ site, name }) => index.releases.of(site, name))
  for (const { id: site } of index.sites.list()) {
    index.publishing.of(site)
    index.materialList.query(ofSite(site))
    index.rules.of(site)
    index.pages.settings(site)
    index.pages.tagFolders(site)
    index.snapshots.list(site)
    index.snapshots.newest(site)
    for (const { exportId } of index.exports.query(site, 0, 500).rows) index.exports.contents(exportId)
    for (const { materialId } of index.materials.listByArrival(site)) {
      index.materials.sentAtOpen(site, materialId)
      index.versionList.query(site, materialId, 0, 500)
    }
  }
  expect([...library.log.read(logStart)].filter(({ kind }) => kind === 'fault')).toEqual([])
}

describe('entries of a member with a valid hash and any content', () => {
  it.each(Array.from({ length: Math.ceil(rounds / entriesEach) }, (_, at) => firstSeed + at))(
    'are applied or skipped by every computer alike, run %i',
    async (seed) => {
      const dice = diceFrom(seed)
      const bucket = aTeamBucket()
      const [one, other] = [await aMember(runOn(bucket)), await aMember(runOn(bucket))]
      await one.index.commit.write(() => one.index.sites.put(acme))
      let skipped = 0
      for (let nth = 0; nth < entriesEach; nth += 1) {
        const end = one.index.commit.mark()
        const changes = hostileChanges(dice)
        const { bytes } = lineAround(entryAround(end, changes))
        bucket.perform({ kind: 'create', key: entryKey(end.position + 1), bytes }, new Uint8Array())
        await one.follow()
        expect(one.index.commit.mark().position, changes.slice(0, 500)).toBe(end.position + 1)
        skipped += Number(one.index.refusedEntries().at(-1)?.position === end.position + 1)
        readEverything(one)
        // A save goes on at once.
        if (nth % 10 === 0) await one.index.commit.soon(() => [aStored(`after-${seed}-${nth}`)])
      }
      expect(skipped).toBeGreaterThan(entriesEach / 5)
      await other.follow()
      const [copy, second] = [await copyOf(one), await copyOf(other)]
      expect(await compareIndexes(copy, second)).toEqual([])
      await expectSameAsLog(other)
      // Every value in the rows is in the range of the log.
      expect(await hasValuesOfLog(copy, new AbortController().signal)).toBe(true)
    },
  )
})
