import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

import type { IndexWork } from '../../../../packages/library/db/index-work.ts'
import { writeName } from '../../../../packages/library/db/open/library-file.ts'
import { openLibrary } from '../../../../packages/library/db/open/open-library.ts'
import type { RunProtocol } from '../../../../packages/library/db/team/team-commit.ts'
import { writeLine } from '../../../../packages/library/log/line.ts'
import { openLog } from '../../../../packages/library/log/log.ts'
import { logStart } from '../../../../packages/library/log/mark.ts'
import { noHash } from '../../../../packages/library/records/changes.ts'
import { foldSome, planFold, sendCheckpoint } from '../../../../packages/library/team/checkpoints.ts'
import { entryKey } from '../../../../packages/library/team/keys.ts'
import type { Answer, Request } from '../../../../packages/library/team/requests.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import type { ModelBucket } from '../../team/model/bucket.ts'
import { createModelBucket } from '../../team/model/bucket.ts'
import { aStored } from '../committed.ts'

const libraryName = 'a-team'
const first = writeLine(
  1,
  noHash,
  [{ kind: 'library_named', library: libraryName, at: '2026-11-23T10:00:00.000Z' }],
  'first',
)

/** The first entry of a team's log. */
export const firstEntry: Uint8Array = first.bytes

/** Makes a folder that of a machine which has just joined: its log begins with the first entry of the team. */
export function makeMember(folder: string): void {
  openLog(folder).appendLine(logStart, first)
  writeName(folder, libraryName)
}

/** A bucket that holds the first entry of a team's log. */
export function aTeamBucket(): ModelBucket {
  const bucket = createModelBucket({})
  bucket.perform({ kind: 'create', key: entryKey(1), bytes: first.bytes }, new Uint8Array())
  return bucket
}

/** How a request fares: done and answered, or not. */
export type Fate = 'done' | 'lost' | 'answer_lost' | 'late' | 'twice'

/** Reaches the bucket after some turns of the event loop, as fate has it. */
export const runOn =
  (bucket: ModelBucket, fate: (request: Request) => Fate = () => 'done', turns: () => number = () => 0): RunProtocol =>
  async (protocol) => {
    const pause = async (): Promise<void> => {
      for (let left = turns(); left > 0; left -= 1) await nextTurn()
    }
    const late = async (perform: () => void): Promise<void> => {
      await pause()
      await pause()
      perform()
    }
    let tries = 0
    for (let step = protocol.next(); ;) {
      if (step.done === true) return step.value
      const { value: request } = step
      const perform = (): Answer => bucket.perform(request, new Uint8Array())
      await pause()
      const end = request.kind === 'wait' ? 'done' : fate(request)
      let answer: Answer = { kind: 'unknown' }
      if (end === 'done') answer = perform()
      if (end === 'answer_lost') perform()
      if (end === 'late') void late(perform)
      if (end === 'twice') {
        perform()
        answer = perform()
      }
      await pause()
      if (request.kind === 'wait') answer = { kind: 'waited', isLate: (tries += 1) > 6 }
      step = protocol.next(answer)
    }
  }

/** A machine that has just joined, or one that was opened before. */
export async function aMember(run: RunProtocol, folder?: string, work?: IndexWork) {
  const place = folder ?? (await temporaryFolder())
  if (folder === undefined) makeMember(place)
  const library = await openLibrary(
    place,
    () => new Date(),
    () => undefined,
    null,
    run,
    work,
  )
  let isOpen = true
  const close = (): void => {
    if (isOpen) library.close()
    isOpen = false
  }
  onTestFinished(close)
  const { index } = library
  const follow = (): Promise<number> =>
    index.followTeam?.() ?? Promise.reject(new Error('This library is no team library'))
  return { library, index, folder: place, follow, close }
}

export type Member = Awaited<ReturnType<typeof aMember>>

/** A copy of its index. */
export async function copyOf({ index }: Member): Promise<string> {
  const copy = join(await temporaryFolder(), 'copy.db')
  await index.copyTo(copy, () => undefined, new AbortController().signal)
  return copy
}

/** Saves three versions in a member, folds them into a checkpoint in the bucket, and saves a fourth. */
export async function saveAndFold(run: RunProtocol, { index, library }: Member): Promise<void> {
  for (const versionId of ['v1', 'v2', 'v3']) await index.commit.soon(() => [aStored(versionId)])
  const position = await library.writeCheckpoint(new AbortController().signal)
  await run(sendCheckpoint(position), undefined, library.teamCheckpoints)
  const { from, upTo } = await run(planFold(position, position))
  for (let at = from; at <= upTo;) at = await run(foldSome(at, upTo))
  await index.commit.soon(() => [aStored('v4')])
}
