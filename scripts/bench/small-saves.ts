/** Saves of 50 KB: time to the answer, throughput of concurrent saves, and losses at 20 saves per second. */

import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

import { startService, stopService } from '../runtime/processes.ts'
import { canTrace } from '../runtime/tracing.ts'
import { atLeast, atMost, withoutGoal, type Figure } from './figure.ts'
import { callBack, type Listener } from './listener.ts'
import { makeSave, type Save } from './save.ts'
import { warmUp, withStage, type Accepted, type BenchOptions, type Stage } from './stage.ts'
import { median, quantile } from './statistics.ts'
import { longestStallMs, stepsLine } from './steps.ts'

const shape = { files: 3, fileBytes: 16 * 1024, method: 'deflated' } as const
const perSecond = 20
const materials = 10
/** Concurrent saves of different materials, on a disk whose every sync takes this much longer. */
const atOnce = 16
const slowSyncMs = 10

export async function benchSmallSaves(options: BenchOptions): Promise<readonly Figure[]> {
  const usual = await withStage(options, async (stage) => {
    await warmUp(stage)
    return [
      ...(await oneByOne(stage, options.isQuick ? 50 : 200)),
      ...(await onSchedule(stage, options.isQuick ? 10 : 60)),
    ]
  })
  return [...usual, ...(await onSlowDisk(options))]
}

async function oneByOne(stage: Stage, count: number): Promise<readonly Figure[]> {
  const { accepted, archives, folder, serviceUrl } = stage
  const bare = await startBareSite(folder)
  const bareTimes: number[] = []
  const answered: Accepted[] = []
  const syncTimes: number[] = []
  const syncs = plainSyncs(join(folder, 'plain'))
  for (let at = 0; at < count; at += 1) {
    const save = makeSave(archives, `single-${at % materials}`, shape)
    answered.push(await accepted(save))
    syncTimes.push(syncs.once(save.archiveBytes))
    const bareSave = makeSave(archives, `single-${at % materials}`, shape)
    const start = performance.now()
    await callBack(bare.url, serviceUrl, bareSave)
    bareTimes.push(performance.now() - start)
  }
  syncs.close()
  await bare.stop()
  const times = answered.map(({ ms }) => ms)
  const syncMs = median(syncTimes)
  console.log(`50 KB saves, ${count} one after another`)
  console.log(
    `  answered, ms:   median ${median(times).toFixed(1)}, 95% within ${quantile(times, 0.95).toFixed(1)}, slowest ${Math.max(...times).toFixed(1)}`,
  )
  console.log(`  steps, medians: ${stepsLine(answered)}`)
  return [
    atMost('50 KB save: median time to the answer', median(times), 15, ' ms', 1),
    withoutGoal('50 KB save: its five syncs, done plainly one after another', syncMs, ' ms', 1),
    atMost('50 KB save: median beyond 1.3x of those', median(times) - 1.3 * syncMs, 3, ' ms', 1),
    withoutGoal(
      '50 KB save: the same beyond, of a bare server that downloads and syncs',
      median(bareTimes) - 1.3 * syncMs,
      ' ms',
      1,
    ),
    {
      name: '50 KB save: 95% answered within',
      measured: `${quantile(times, 0.95).toFixed(1)} ms`,
      goal: '',
      isMet: null,
    },
    atMost('50 KB save: longest stall of the event loop', longestStallMs(answered), 50, ' ms'),
  ]
}

async function startBareSite(folder: string) {
  const script = join(import.meta.dirname, 'bare-site.ts')
  const child = startService(process.execPath, [script, join(folder, 'bare')], ['pipe', 'pipe', 'inherit'])
  if (child.stdout === null) throw new Error('The bare site has no output')
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { url, stop: () => stopService(child) }
}

/** The syncs of one save, in order and without anything else: two files, their target folders, a line of a log. */
function plainSyncs(folder: string) {
  const folders = ['staging', 'a', 'b'].map((name) => join(folder, name))
  const [staging = folder, ...targets] = folders
  for (const each of folders) mkdirSync(each, { recursive: true })
  const log = openSync(join(folder, 'log'), 'w')
  let count = 0
  const timed = (sync: () => void): number => {
    const start = performance.now()
    sync()
    return performance.now() - start
  }
  return {
    once(bytes: number): number {
      count += 1
      let ms = 0
      for (const target of targets) {
        const file = openSync(join(staging, 'file'), 'w')
        writeSync(file, randomBytes(bytes))
        ms += timed(() => fsyncSync(file))
        closeSync(file)
        renameSync(join(staging, 'file'), join(target, String(count)))
      }
      for (const target of targets) {
        const opened = openSync(target, 'r')
        ms += timed(() => fsyncSync(opened))
        closeSync(opened)
      }
      writeSync(log, randomBytes(2_000))
      return ms + timed(() => fdatasyncSync(log))
    },
    close: () => closeSync(log),
  }
}

/** The throughput of concurrent saves, as a multiple of that of sequential ones. */
async function onSlowDisk(options: BenchOptions): Promise<readonly Figure[]> {
  const name = `${atOnce} materials at once, each sync ${slowSyncMs} ms longer: rate against one after another`
  if (!(await canTrace())) return [{ name, measured: 'not measured: no strace', goal: '>= 3.0x', isMet: null }]
  const injection = `inject=fsync,fdatasync:delay_enter=${slowSyncMs * 1000}`
  const below = ['strace', '-f', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', injection]
  return withStage({ ...options, below }, async ({ archives, accepted, listener }) => {
    const batch = (): readonly Save[] =>
      Array.from({ length: atOnce }, (_, at) => makeSave(archives, `together-${at}`, shape))
    const together = (saves: readonly Save[]) =>
      Promise.all(
        saves.map(async (save) => {
          const { rc, rm } = await listener.save(save)
          if (rc !== 1) throw new Error(`A save was not taken: ${String(rm)}`)
        }),
      )
    // The first saves start threads and compile parsers.
    for (let round = 0; round < 2; round += 1) await together(batch())
    const ratios: number[] = []
    for (let round = 0; round < (options.isQuick ? 3 : 7); round += 1) {
      const [first, second] = [batch(), batch()]
      const start = performance.now()
      for (const save of first) await accepted(save)
      const middle = performance.now()
      await together(second)
      const ms = [middle - start, performance.now() - middle] as const
      ratios.push(ms[0] / ms[1])
      console.log(
        `${atOnce} saves, each sync ${slowSyncMs} ms longer: one after another ${ms[0].toFixed(0)} ms, at once ${ms[1].toFixed(0)} ms`,
      )
    }
    return [atLeast(name, median(ratios), 3, 'x', 1)]
  })
}

/** Sends saves on schedule, whether or not earlier ones were answered; then looks for each acknowledged one. */
async function onSchedule({ archives, listener }: Stage, seconds: number): Promise<readonly Figure[]> {
  const saves = Array.from({ length: seconds * perSecond }, (_, at) =>
    makeSave(archives, `stream-${at % materials}`, shape),
  )
  const start = performance.now()
  const answers = await Promise.all(
    saves.map(async (save, at) => {
      await wait((at * 1000) / perSecond)
      return { save, answered: await listener.save(save) }
    }),
  )
  const tookMs = performance.now() - start
  const acknowledged = answers.filter(({ answered }) => answered.rc === 1)
  const lost = await countLost(
    listener,
    acknowledged.map(({ save }) => save),
  )
  const times = answers.map(({ answered }) => answered.ms)
  console.log(`50 KB saves, ${perSecond} a second for ${seconds} s, over ${materials} materials`)
  console.log(
    `  sent ${saves.length}, acknowledged ${acknowledged.length} within ${(tookMs / 1000).toFixed(1)} s, lost ${lost}`,
  )
  console.log(
    `  answered, ms:   median ${median(times).toFixed(1)}, 95% within ${quantile(times, 0.95).toFixed(1)}, slowest ${Math.max(...times).toFixed(1)}`,
  )
  const name = `${perSecond} saves a second for ${seconds} s`
  return [
    atMost(`${name}: not acknowledged`, saves.length - acknowledged.length, 0, ''),
    atMost(`${name}: acknowledged, then not there`, lost, 0, ''),
  ]
}

/** How many of these saves are not listed, or have a file that the listener does not return byte for byte. */
async function countLost({ url, versions }: Listener, saves: readonly Save[]): Promise<number> {
  let lost = 0
  for (const [materialId, expected] of Map.groupBy(saves, (save) => save.materialId)) {
    const stored = new Map((await versions(materialId)).map((version) => [version.version_id, version.public_urls]))
    for (const { versionId, media } of expected) {
      const urls = stored.get(versionId)
      const whole = await Promise.all(
        Array.from(media, async ([name, sha256]) => {
          const address = urls?.[name]
          return address !== undefined && (await sha256At(url + new URL(address).pathname)) === sha256
        }),
      )
      if (urls === undefined || whole.includes(false)) lost += 1
    }
  }
  return lost
}

async function sha256At(url: string): Promise<string | null> {
  const response = await fetch(url)
  const bytes = Buffer.from(await response.arrayBuffer())
  return response.ok ? createHash('sha256').update(bytes).digest('hex') : null
}
