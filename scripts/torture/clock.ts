import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { randomFrom } from '../../tests/support/random.ts'
import { createSaves, post, servedProblem, type Sent } from '../../tests/support/saves.ts'
import { Unavailable } from '../runtime/unavailable.ts'
import { fsckProblems, listProblems } from './support/checks.ts'
import { killed, onStage, type Stage } from './support/stage.ts'
import type { Given, Torture, Verdict } from './torture.ts'

const offsets = ['+10y', '-10y', '+0', '+1d', '-1d', '+3650d', '-1h'] as const
const materials = ['post/one', 'post/two']
const saveLimitMs = 5_000
const savesAStep = 4
const savesAKill = 25

/** The system clock jumps ten years forward and back while saves arrive, with an occasional kill. */
export const clock: Torture = {
  name: 'clock',
  goal: 'G23',
  title:
    'the clock steps by ten years either way during saves: nothing is lost, the current version stays the newest one',
  unit: 'saves',
  size: { long: 1_000, short: 12 },
  needs: ['clock'],
  twins: { 'dates-run-back': 'the service dates each save before the one it follows' },
  run: onStage(play),
}

async function play(stage: Stage, given: Given): Promise<Verdict> {
  const { size, seed, twin, folder, patience, say } = given
  const random = randomFrom(seed)
  const file = join(folder, 'clock')
  let isFrom = Date.UTC(2026, 0, 1)
  const date = (): Date => new Date((isFrom += 60_000))
  let isBefore = isFrom
  const datedBack = (): Date => new Date((isBefore -= 60_000))
  const shape = { sizes: [4_000, 70_000], savedAt: () => (twin === 'dates-run-back' ? datedBack() : date()) }
  const { prepare, acknowledge } = createSaves(stage.service, random, shape)
  const step = (): void => writeFileSync(file, offsets[Math.floor(random() * offsets.length)] ?? '+0')
  const environment = {
    LD_PRELOAD: falseClock(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
  const broken: string[] = []
  const saves: Sent[] = []
  let [steps, kills, slowest] = [0, 0, 0]
  step()
  let listener = await stage.listen(environment)
  for (let at = 1; at <= size; at += 1) {
    if (at % savesAStep === 0) {
      step()
      steps += 1
    }
    if (at % savesAKill === 0) {
      await killed(listener)
      listener = await stage.listen(environment)
      kills += 1
    }
    const made = prepare('media', materials[at % materials.length] ?? 'post/one')
    const save: Sent = twin === 'dates-run-back' ? { ...made, versionCdate: date().toISOString() } : made
    // The clock also jumps while the save is in progress.
    const began = performance.now()
    const answering = post(listener.url, save)
    if (at % 3 === 0) step()
    const answer = await answering
    slowest = Math.max(slowest, performance.now() - began)
    if (answer?.json.rc === 1) acknowledge(save, answer.text)
    else broken.push(`${save.versionId} was answered ${answer?.text}`)
    saves.push(save)
    if (at % 100 === 0) say(`${at} of ${size} saves, ${steps} steps, ${broken.length} broken`)
  }
  const years = await spanYears(stage)
  if (years < 10) broken.push(`the saves lie ${years.toFixed(1)} years apart: the clock was not a false one`)
  if (slowest > saveLimitMs * patience) broken.push(`a save took ${Math.round(slowest)} ms`)
  const acknowledged = saves.filter(({ answer }) => answer !== null)
  for (const save of acknowledged) {
    const problem = await servedProblem(listener.url, save)
    if (problem !== null) broken.push(problem)
  }
  broken.push(...(await listProblems(stage, acknowledged)), ...(await fsckProblems(stage)))
  await killed(listener)
  const figures = { saves: saves.length, steps, kills, 'years apart': years, 'slowest ms': Math.round(slowest) }
  return { figures, broken }
}

/** The greatest distance between the times that the listener recorded. */
async function spanYears({ jsonOf }: Stage): Promise<number> {
  const moments: number[] = []
  for (const material of materials) {
    const versions = (await jsonOf('versions', 'acme', material)) as { received_at: string }[]
    moments.push(...versions.map(({ received_at: at }) => Date.parse(at)))
  }
  return (Math.max(...moments) - Math.min(...moments)) / (365 * 86_400_000)
}

function falseClock(): string {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (library === undefined) throw new Unavailable('False clock', 'libfaketimeMT.so.1 is not where Debian puts it.')
  return library
}
