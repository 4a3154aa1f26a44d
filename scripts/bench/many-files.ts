/** One archive of 5,000 small files: time compared with a plain loop that writes the same files one by one. */

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

import { atMost, type Figure } from './figure.ts'
import { makeSave, mediaName } from './save.ts'
import { warmUp, withStage, type Accepted, type BenchOptions, type Stage } from './stage.ts'
import { median, onALine } from './statistics.ts'
import { longestStallMs, stallsLine, stepsLine } from './steps.ts'

const files = 5_000
const fileBytes = 2 * 1024

export function benchManyFiles(options: BenchOptions): Promise<readonly Figure[]> {
  return withStage(options, async (stage) => {
    await warmUp(stage)
    const ours: Accepted[] = []
    const loop: number[] = []
    for (let run = 0; run < (options.isQuick ? 3 : 7); run += 1) {
      const save = makeSave(stage.archives, `many-${run}`, { files, fileBytes, method: 'deflated' })
      const turns = [
        async () => {
          execFileSync('sync')
          ours.push(await stage.accepted(save))
        },
        () => void loop.push(plainLoopMs(stage)),
      ]
      for (const turn of run % 2 === 0 ? turns : turns.toReversed()) await turn()
      rmSync(save.archiveFile)
    }
    console.log('5,000 files of 2 KB')
    console.log(`  galley, ms:     ${onALine(ours.map(({ ms }) => ms))}`)
    console.log(`  plain loop, ms: ${onALine(loop)}`)
    console.log(`  steps, medians: ${stepsLine(ours)}`)
    console.log(`  stalls, ms:     ${stallsLine(ours)}`)
    return [
      atMost(
        '5,000 files: time against write + fsync + rename',
        median(ours.map(({ ms }) => ms)) / median(loop),
        1,
        'x',
        2,
      ),
      atMost('5,000 files: longest stall of the event loop', longestStallMs(ours), 50, ' ms'),
    ]
  })
}

/** The simple and safe way: writes, syncs and renames each file separately. */
function plainLoopMs({ folder }: Stage): number {
  const into = join(folder, 'loop')
  mkdirSync(into)
  const contents = Array.from({ length: files }, () => randomBytes(fileBytes))
  execFileSync('sync')
  const start = performance.now()
  for (const [index, content] of contents.entries()) {
    const place = join(into, mediaName(index))
    const fd = openSync(`${place}.new`, 'wx')
    writeSync(fd, content)
    fsyncSync(fd)
    closeSync(fd)
    renameSync(`${place}.new`, place)
  }
  const ms = performance.now() - start
  rmSync(into, { recursive: true })
  return ms
}
