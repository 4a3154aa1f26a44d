/** One archive of 200 MB: time compared with curl, unzip and sync, memory, and stalls of the listener. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { onPath } from '../runtime/processes.ts'
import { atMost, type Figure } from './figure.ts'
import { peakMb, residentMb, resetPeak } from './memory.ts'
import { makeSave, type Save } from './save.ts'
import { warmUp, withStage, type Accepted, type BenchOptions, type Stage } from './stage.ts'
import { median, onALine } from './statistics.ts'
import { longestStallMs, stallsLine, stepsLine } from './steps.ts'
import type { ZipMethod } from './zip-file.ts'

const fileBytes = 512 * 1024
const files = 400

export async function benchLargeArchive(options: BenchOptions): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const method of ['stored', 'deflated'] as const) {
    figures.push(...(await withStage(options, (stage) => measure(stage, method, options.isQuick))))
  }
  return figures
}

async function measure(stage: Stage, method: ZipMethod, isQuick: boolean): Promise<readonly Figure[]> {
  const { listener, archives } = stage
  const idle = residentMb(listener.processId)
  await warmUp(stage)
  const canReset = resetPeak(listener.processId)

  const ours: Accepted[] = []
  const theirs: number[] = []
  for (let run = 0; run < (isQuick ? 3 : 7); run += 1) {
    const save = makeSave(archives, `large-${run}`, { files, fileBytes, method })
    const turns = [async () => void ours.push(await timed(stage, save))]
    if (hasRivals()) turns.push(async () => void theirs.push(unzipMs(stage, save)))
    // The second run finds warmer caches, so the two sides take turns.
    for (const turn of run % 2 === 0 ? turns : turns.toReversed()) await turn()
    rmSync(save.archiveFile)
  }
  const peak = peakMb(listener.processId)

  if (canReset) resetPeak(listener.processId)
  for (let run = 0; run < 2; run += 1) {
    const save = makeSave(archives, `double-${run}`, { files: 2 * files, fileBytes, method })
    await timed(stage, save)
    rmSync(save.archiveFile)
  }
  const doublePeak = peakMb(listener.processId)

  console.log(`200 MB, 400 files, ${method}`)
  console.log(`  galley, ms:              ${onALine(ours.map(({ ms }) => ms))}`)
  console.log(`  curl + unzip + sync, ms: ${onALine(theirs) || 'this machine does not have all of them'}`)
  console.log(`  steps, medians:          ${stepsLine(ours)}`)
  console.log(`  longest stalls, ms:      ${stallsLine(ours)}`)
  const shown = [idle, peak, doublePeak].map((value) => value?.toFixed(0) ?? '?')
  console.log(`  memory, MB:              idle ${shown[0]}, peak ${shown[1]}, peak with 400 MB ${shown[2]}`)
  const over = (value: number | null, base: number | null): number | null =>
    value === null || base === null ? null : value - base
  const label = `200 MB ${method}`
  return [
    atMost(
      `${label}: time against curl + unzip + sync`,
      theirs.length === 0 ? null : median(ours.map(({ ms }) => ms)) / median(theirs),
      1,
      'x',
      2,
    ),
    atMost(`${label}: peak memory of the listener`, peak, 180, ' MB'),
    atMost(`${label}: peak above idle`, over(peak, idle), 100, ' MB'),
    atMost(`${label}: what 400 MB add to the peak`, canReset ? over(doublePeak, peak) : null, 20, ' MB'),
    atMost(`${label}: longest stall of the event loop`, longestStallMs(ours), 50, ' ms'),
  ]
}

/** Waits for pending writes of the disk first. */
async function timed({ accepted }: Stage, save: Save): Promise<Accepted> {
  execFileSync('sync')
  return accepted(save)
}

function unzipMs({ folder, serviceUrl }: Stage, { versionId }: Save): number {
  const into = join(folder, 'unzipped')
  mkdirSync(into)
  execFileSync('sync')
  const url = `${serviceUrl}/integration/download/media/bench/${versionId}`
  const start = performance.now()
  execFileSync('sh', ['-c', 'curl -s -o archive.zip "$0" && unzip -q archive.zip -d files && sync', url], { cwd: into })
  const ms = performance.now() - start
  rmSync(into, { recursive: true })
  return ms
}

/** Whether this machine has the programs for the comparison. */
const hasRivals = (): boolean => ['curl', 'unzip', 'sync'].every((command) => onPath(command) !== null)
