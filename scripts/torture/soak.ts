import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { randomFrom } from '../../tests/support/random.ts'
import { createSaves, post, servedProblem, type Sent } from '../../tests/support/saves.ts'
import { quantile } from '../bench/statistics.ts'
import { fsckProblems, listProblems } from './support/checks.ts'
import { anonymousMb, growthOf, openDescriptors, residentMb, type Measured } from './support/process-figures.ts'
import { killed, onStage, type Stage } from './support/stage.ts'
import type { Given, Torture, Verdict } from './torture.ts'

const savesASecond = 20
const savesAMaterial = 1_200
const warmUpSaves = 20
const slowestShareMs = 250
/** Over a few seconds, the figures mostly reflect other work on the machine. */
const judgedFromSeconds = 60
const growthLimit = 1
const growthMinutes = 5
/** For a short form, which cannot be measured. Warming up takes dozens of saves. */
const shortGrowthLimitMb = 120
const descriptorsMore = 5
const walLimitMb = 16
const measureEveryMs = 1_000

/** Sends saves on schedule for the given time, whether or not earlier ones were answered. */
export const soak: Torture = {
  name: 'soak',
  goal: 'G14',
  title: '20 saves a second of three files of 64 KiB: none lost, 99% within 250 ms, memory and descriptors level off',
  unit: 'seconds',
  size: { long: 600, short: 2 },
  twins: {
    'keeps-descriptors': 'every request leaves a file open',
    'keeps-memory': 'the first 64 requests leave 4 MiB behind each, later ones 4 KiB',
  },
  run: onStage(play),
}

async function play(stage: Stage, given: Given): Promise<Verdict> {
  const { size, seed, patience, say } = given
  const listener = await stage.listen()
  const { prepare, acknowledge } = createSaves(stage.service, randomFrom(seed), { sizes: [65_536, 65_536, 65_536] })
  const materials = Math.ceil((size * savesASecond) / savesAMaterial)
  const saves: Sent[] = []
  const times: number[] = []
  const broken: string[] = []

  async function save(): Promise<void> {
    const sent = prepare('media', `post/${saves.length % materials}`)
    saves.push(sent)
    const began = performance.now()
    const answer = await post(listener.url, sent)
    times.push(performance.now() - began)
    if (answer?.json.rc === 1) acknowledge(sent, answer.text)
    else broken.push(`${sent.versionId} was answered ${answer?.status} ${answer?.text}`)
  }
  for (let at = 0; at < warmUpSaves; at += 1) await save()
  times.length = 0

  const descriptorsBefore = openDescriptors(listener.processId)
  const memory: Measured[] = []
  let walMb = 0
  const began = performance.now()
  const measure = (): void => {
    const atMinutes = (performance.now() - began) / 60_000
    memory.push({ atMinutes, value: anonymousMb(listener.processId) })
    const wal = statSync(join(stage.library, 'index.db-wal'), { throwIfNoEntry: false })
    walMb = Math.max(walMb, (wal?.size ?? 0) / 1024 ** 2)
    if (memory.length % 60 === 0) {
      say(
        `${saves.length} saves, ${memory.at(-1)?.value.toFixed(0)} MiB, 99% within ${quantile(times, 0.99).toFixed(0)} ms`,
      )
    }
  }
  measure()
  const measuring = setInterval(measure, measureEveryMs)
  const running: Promise<void>[] = []
  for (let at = 0; at < size * savesASecond; at += 1) {
    await wait(Math.max(0, began + (at * 1000) / savesASecond - performance.now()))
    running.push(save())
  }
  await Promise.all(running)
  clearInterval(measuring)
  measure()

  const endMb = residentMb(listener.processId)
  const descriptors = await settledDescriptors(listener.processId, descriptorsBefore)
  const p99 = quantile(times, 0.99)
  const minutes = size / 60
  const late = memory.filter(({ atMinutes }) => atMinutes >= minutes - growthMinutes)
  const growth = minutes >= growthMinutes ? growthOf(late) : null
  const grownMb = (memory.at(-1)?.value ?? 0) - (memory[0]?.value ?? 0)
  if (size >= judgedFromSeconds && p99 > slowestShareMs * patience)
    broken.push(`99% were answered within ${p99.toFixed(0)} ms`)
  if (growth !== null && growth > growthLimit) broken.push(`memory grew by ${growth.toFixed(2)} MiB a minute`)
  if (growth === null && grownMb > shortGrowthLimitMb) broken.push(`memory grew by ${grownMb.toFixed(0)} MiB`)
  if (descriptors > descriptorsMore) broken.push(`${descriptors} descriptors more are open than before`)
  if (walMb > walLimitMb) broken.push(`the WAL grew to ${walMb.toFixed(1)} MiB`)

  say('looking for every save')
  const acknowledged = saves.filter(({ answer }) => answer !== null)
  let lost = 0
  for (const sent of acknowledged) {
    const problem = await servedProblem(listener.url, sent)
    if (problem === null) continue
    lost += 1
    broken.push(problem)
  }
  broken.push(...(await listProblems(stage, acknowledged)), ...(await fsckProblems(stage)))
  await killed(listener)
  return {
    figures: {
      saves: saves.length,
      lost,
      'median ms': quantile(times, 0.5),
      'p99 ms': p99,
      'slowest ms': Math.max(...times),
      'MiB at the end': Math.round(endMb),
      'MiB more': Math.round(grownMb),
      'MiB a minute': growth ?? 'not measured',
      'descriptors more': descriptors,
      'WAL MiB': walMb,
    },
    broken,
  }
}

/** How many more descriptors are open than before, after idle connections have ended. */
export async function settledDescriptors(processId: number, before: number): Promise<number> {
  const limit = performance.now() + 6_000
  for (;;) {
    const more = openDescriptors(processId) - before
    if (more <= 0 || performance.now() > limit) return more
    // Some are in use only briefly; one that stays open for seconds is a leak.
    if (more <= descriptorsMore) return more
    await wait(100)
  }
}
