/** The time that a review window needs to compare two large states, and how long it is unresponsive meanwhile. */

import { withoutGoal, type Figure } from '../figure.ts'
import { makeSave } from '../save.ts'
import type { Stage } from '../stage.ts'
import { median, onALine } from '../statistics.ts'
import { prepare, watched, type OpenWindow } from './window.ts'

const stateBytes = 5 * 1024 ** 2
const materialId = 'large-state'

/** The ids of two versions of one material, newer one first. */
export type LargeStates = readonly [string, string]

/** Saves two versions of one material whose states differ in places. */
export async function saveLargeStates({ archives, accepted }: Stage): Promise<LargeStates> {
  const shape = { files: 1, fileBytes: 1024, method: 'deflated', stateBytes } as const
  const older = makeSave(archives, materialId, shape)
  await accepted(older)
  const newer = makeSave(archives, materialId, shape)
  await accepted(newer)
  return [newer.versionId, older.versionId]
}

export async function measureComparing(
  { app, inPage }: OpenWindow,
  [versionId, compareWith]: LargeStates,
  isQuick: boolean,
): Promise<readonly Figure[]> {
  const shown: number[] = []
  const stalls: number[] = []
  for (let run = 0; run < (isQuick ? 1 : 3); run += 1) {
    const opened = app.waitForEvent('window')
    await inPage(`galley.call('openReview', ${JSON.stringify({ site: 'bench', materialId, versionId, compareWith })})`)
    const frame = await opened
    await inPage(`galley.call('changeSettings', { isForDevelopers: true })`)
    await prepare(frame)
    await frame.getByRole('button', { name: 'Width, theme and sources' }).click()
    const state = frame.getByRole('menuitemcheckbox', { name: 'Editor state' })
    await state.waitFor()
    await frame.evaluate('bench.longestTask()')
    shown.push(await watched(frame, `bench.after('click', () => bench.showsDifference())`, () => state.click()))
    stalls.push(await frame.evaluate<number>('bench.longestTask()'))
    await frame.close()
  }
  console.log(`  two states of 5 MB compared, ms:     ${onALine(shown)}`)
  console.log(`  longest stall meanwhile, ms:         ${onALine(stalls)}`)
  return [
    withoutGoal('interface: two states of 5 MB compared', median(shown), ' ms'),
    withoutGoal('interface: longest stall of the window that compares them', Math.max(...stalls), ' ms'),
  ]
}
