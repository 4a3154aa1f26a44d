/** Saves of 50 KB: how soon each is answered, and whether any is lost when they come at 20 a second. */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { atMost, type Figure } from './figure.ts'
import type { Listener } from './listener.ts'
import { makeSave, type Save } from './save.ts'
import { warmUp, withStage, type Accepted, type BenchOptions, type Stage } from './stage.ts'
import { median, quantile } from './statistics.ts'
import { longestStallMs, stepsLine } from './steps.ts'

const shape = { files: 3, fileBytes: 16 * 1024, method: 'deflated' } as const
const perSecond = 20
const materials = 10

export function benchSmallSaves(options: BenchOptions): Promise<readonly Figure[]> {
  return withStage(options, async (stage) => {
    await warmUp(stage)
    return [
      ...(await oneByOne(stage, options.isQuick ? 50 : 200)),
      ...(await onSchedule(stage, options.isQuick ? 10 : 60)),
    ]
  })
}

async function oneByOne({ accepted, archives }: Stage, count: number): Promise<readonly Figure[]> {
  const answered: Accepted[] = []
  for (let at = 0; at < count; at += 1) {
    const save = makeSave(archives, `single-${at % materials}`, shape)
    answered.push(await accepted(save))
    rmSync(save.archiveFile)
  }
  const times = answered.map(({ ms }) => ms)
  console.log(`50 KB saves, ${count} one after another`)
  console.log(
    `  answered, ms:   median ${median(times).toFixed(1)}, 95% within ${quantile(times, 0.95).toFixed(1)}, slowest ${Math.max(...times).toFixed(1)}`,
  )
  console.log(`  steps, medians: ${stepsLine(answered)}`)
  return [
    atMost('50 KB save: median time to the answer', median(times), 15, ' ms', 1),
    {
      name: '50 KB save: 95% answered within',
      measured: `${quantile(times, 0.95).toFixed(1)} ms`,
      goal: '',
      isMet: null,
    },
    atMost('50 KB save: longest stall of the event loop', longestStallMs(answered), 50, ' ms'),
  ]
}

/** Sends saves at their times, whether or not the earlier ones were answered; then looks for each that was. */
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

/** How many of these saves are not listed, or have a file that the listener does not give back byte for byte. */
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
