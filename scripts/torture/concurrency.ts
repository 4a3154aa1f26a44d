import { setTimeout as wait } from 'node:timers/promises'

import { randomFrom } from '../../tests/support/random.ts'
import { createSaves, post, servedProblem, type Sent } from '../../tests/support/saves.ts'
import { fsckProblems, listProblems } from './support/checks.ts'
import { killed, onStage, type Listener, type Stage } from './support/stage.ts'
import type { Given, Torture, Verdict } from './torture.ts'

const deliveriesARound = 250

/** A fifth of the deliveries are for one material, each save twice; the others once, with ten per material. */
const wavesOf = (deliveries: number) => [
  { deliveries: Math.ceil(deliveries / 10) * 2, materials: 1, times: 2 },
  { deliveries: Math.ceil(deliveries * 0.8), materials: Math.ceil(deliveries * 0.08), times: 1 },
]

/** Many deliveries at the same instant must have the same result as one after another. */
export const concurrency: Torture = {
  name: 'concurrency',
  goal: 'G12',
  title: '50 deliveries at once on one material, then 200 over 20: the result of one after the other',
  unit: 'deliveries',
  size: { long: 2_500, short: 20 },
  twins: { 'mixed-archives': 'the service hands out the archive of another save now and then' },
  run: onStage(play),
}

async function play(stage: Stage, { size, seed, twin, say }: Given): Promise<Verdict> {
  const random = randomFrom(seed)
  const clock = { now: Date.UTC(2026, 0, 1) }
  const shape = { sizes: [3_000, 20_000, 70_000], savedAt: () => new Date((clock.now += 1_000)) }
  const { prepare } = createSaves(stage.service, random, shape)
  const listener = await stage.listen()
  const broken: string[] = []
  const taken: Sent[] = []
  let busy = 0

  /** Delivers until the save is accepted; a busy answer names the time of the next attempt. */
  async function deliver(save: Sent): Promise<void> {
    for (let tries = 0; tries < 100; tries += 1) {
      const answer = await post(listener.url, save)
      if (answer?.status !== 503) {
        if (answer?.json.rc !== 1) broken.push(`${save.versionId} was answered ${answer?.status} ${answer?.text}`)
        else if (save.answer !== null && save.answer !== answer.text) broken.push(`${save.versionId} has two answers`)
        else save.answer = answer.text
        return
      }
      busy += 1
      if (answer.headers['retry-after'] === undefined) broken.push('a 503 does not say when to come again')
      await wait(50 + random() * 200)
    }
    broken.push(`${save.versionId} was never taken`)
  }

  let deliveries = 0
  while (deliveries < size) {
    for (const [at, wave] of wavesOf(Math.min(size, deliveriesARound)).entries()) {
      const saves = Array.from({ length: wave.deliveries / wave.times }, (_, index) =>
        prepare('media', `wave-${at}/post-${index % wave.materials}`),
      )
      if (twin === 'mixed-archives') mix(stage, saves)
      // In a random order: the newest is not the last to arrive.
      const inAnyOrder = saves
        .flatMap((save) => Array.from({ length: wave.times }, () => save))
        .map((save) => ({ save, at: random() }))
        .toSorted((one, other) => one.at - other.at)
      await Promise.all(inAnyOrder.map(({ save }) => deliver(save)))
      deliveries += inAnyOrder.length
      taken.push(...saves)
    }
    say(`${deliveries} of ${size} deliveries, ${busy} times busy`)
  }
  broken.push(...(await problemsOf(stage, listener, taken)))
  await killed(listener)
  return { figures: { deliveries, versions: taken.length, 'times busy': busy }, broken }
}

async function problemsOf(stage: Stage, { url }: Listener, taken: readonly Sent[]): Promise<readonly string[]> {
  const served: (string | null)[] = []
  for (const save of taken.filter(({ answer }) => answer !== null)) served.push(await servedProblem(url, save))
  return [
    ...served.filter((problem) => problem !== null),
    ...(await listProblems(stage, taken)),
    ...(await fsckProblems(stage)),
  ]
}

/** Swaps the archives of two saves at the service, as a listener that confuses them would. */
function mix({ service }: Stage, [one, other]: readonly Sent[]): void {
  if (one === undefined || other === undefined) return
  service.put('media', one.versionId, other.archive)
  service.put('media', other.versionId, one.archive)
}
