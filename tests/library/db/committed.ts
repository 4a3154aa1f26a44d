import { join } from 'node:path'
import { expect } from 'vitest'

import { compareWithLog } from '../../../packages/library/db/open/compare-index.ts'
import { logStart } from '../../../packages/library/log/mark.ts'
import type { Change } from '../../../packages/library/records/changes.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import type { openLibrary } from './sample.ts'
import { aDelivery, anArrival, aVersion, blobsOf } from './sample.ts'

export type Opened = Awaited<ReturnType<typeof openLibrary>>

/** The change that stores a version. */
export const aStored = (versionId: string, arrival = anArrival()) => {
  const { text: _text, ...version } = aVersion(versionId)
  return {
    kind: 'version_stored',
    version,
    blobs: [...blobsOf(version)],
    delivery: aDelivery(arrival),
  } satisfies Change
}

/** All entries and faults of the log. */
export const entriesOf = ({ library }: Pick<Opened, 'library'>) =>
  [...library.log.read(logStart)].map((item) => (item.kind === 'entry' ? item.entry : item.fault))

export const versionsOf = ({ index }: Pick<Opened, 'index'>) =>
  index.versions
    .list('acme', 'post-1')
    .map(({ versionId }) => versionId)
    .toSorted()

/** Whether an index that is built from the log has the same rows. */
export async function expectSameAsLog({ library, index }: Pick<Opened, 'library' | 'index'>): Promise<void> {
  const folder = await temporaryFolder()
  const copy = join(folder, 'copy.db')
  await index.copyTo(copy, () => undefined, new AbortController().signal)
  const scratch = await temporaryFolder()
  const { differences, built } = await compareWithLog(copy, { log: library.log, library: index.library(), scratch })
  expect(differences).toEqual([])
  expect(built.unapplied).toEqual([])
}
