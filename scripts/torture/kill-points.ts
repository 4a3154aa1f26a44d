import { setTimeout as wait } from 'node:timers/promises'

import { randomFrom } from '../../tests/support/random.ts'
import { createSaves, post, servedProblem, type Sent } from '../../tests/support/saves.ts'
import { fsckProblems, listProblems } from './support/checks.ts'
import { afterMs, attachAt, inWords, pointsOf, spread, started, watched } from './support/points.ts'
import type { Point, Scene } from './support/points.ts'
import { killed, setStage, type Listener } from './support/stage.ts'
import { NotHeld, type Given, type Torture, type Verdict } from './torture.ts'

const kinds = ['article', 'fonts', 'repetition'] as const
type Kind = (typeof kinds)[number]

const readyLimitMs = 3_000

/** Kills the listener at every system call of a save that changes something, one call after another. */
export const killPoints: Torture = {
  name: 'kill-points',
  goal: 'G2',
  title:
    'kill -9 at every changing system call of an article, a font set and a repeated delivery: nothing lost, nothing half',
  unit: 'points of each kind at most',
  size: { long: 2_000, short: 1 },
  needs: ['trace'],
  twins: { 'late-commits': 'what is answered is committed two seconds later' },
  run,
}

async function run(given: Given): Promise<Verdict> {
  const broken: string[] = []
  const figures: Record<string, number> = {}
  const stage = await setStage(given)
  const saves = createSaves(stage.service, randomFrom(given.seed), { sizes: [3_000, 70_000] })
  const scene: Scene = { given, stage, saves, taken: [], broken }
  let listener = await restarted(scene)
  let cutOff = 0
  for (const kind of kinds) {
    const { points, next } = await pointsFor(scene, listener, kind)
    listener = next
    const chosen = spread(points, given.size)
    const whole = chosen.length === points.length
    let visited = 0
    for (const point of [...chosen, ...(whole ? beyond(points) : [])]) {
      // After the known points, it continues until a whole save has passed.
      for (let { nth } = point; broken.length < 20; nth += 1) {
        const seen = await visit(scene, listener, kind, { ...point, nth })
        listener = seen.next
        visited += 1
        if (seen.wasKilled) cutOff += 1
        if (!seen.wasKilled || !isBeyond(points, point)) break
      }
      if (visited % 20 === 0) given.say(`${kind}: ${visited} of about ${chosen.length} points, ${broken.length} broken`)
    }
    figures[kind] = visited
  }
  await killed(listener)
  broken.push(...(await listProblems(stage, scene.taken)))
  if (cutOff === 0) broken.push('no listener was killed')
  return { figures: { ...figures, killed: cutOff }, broken }
}

/** Traces one save of that kind from its first call to its last. */
async function pointsFor(scene: Scene, listener: Listener, kind: Kind) {
  const { given, saves, taken } = scene
  const save = nextSave(scene, kind)
  const { answer, calls, threads } = await watched(given, listener, save)
  if (answer?.json.rc !== 1) throw new NotHeld(`The watched save was answered ${answer?.text}`)
  if (save.answer === null) {
    saves.acknowledge(save, answer.text)
    taken.push(save)
  }
  await killed(listener)
  return { points: pointsOf(calls, threads), next: await restarted(scene) }
}

/** The first unseen call of each thread and name. */
function beyond(points: readonly Point[]): readonly Point[] {
  const last = new Map(points.map((point) => [`${point.thread} ${point.name}`, point]))
  return Array.from(last.values(), (point) => ({ ...point, nth: point.nth + 1 }))
}

const isBeyond = (points: readonly Point[], { thread, name, nth }: Point): boolean =>
  points.every((point) => point.thread !== thread || point.name !== name || point.nth < nth)

/** A listener that restarted in time. */
async function restarted(scene: Scene): Promise<Listener> {
  const listener = await started(scene)
  const limitMs = readyLimitMs * scene.given.patience
  if (listener.readyMs > limitMs) scene.broken.push(`ready after ${Math.round(listener.readyMs)} ms`)
  return listener
}

/** The next save of that kind. A repetition is one that was acknowledged before. */
function nextSave({ saves, taken }: Scene, kind: Kind): Sent {
  const last = taken.at(-1)
  if (kind === 'repetition' && last !== undefined) return last
  return kind === 'fonts' ? saves.prepare('fonts', 'site-fonts') : saves.prepare('media', 'post/one')
}

/** Sends a save whose listener is killed when it reaches the point. The result must be complete after the restart. */
async function visit(scene: Scene, listener: Listener, kind: Kind, point: Point) {
  const { given, stage, saves, taken, broken } = scene
  const save = nextSave(scene, kind)
  const isNew = save.answer === null
  const attached = await attachAt(given, listener, point, 'signal=KILL')
  const answer = await post(listener.url, save)
  const wasKilled = await Promise.race([listener.ended.then(() => true), wait(afterMs, false)])
  await killed(listener)
  await attached.detach()

  const problems: string[] = []
  if (answer && answer.json.rc !== 1) problems.push(`it was answered ${answer.text}`)
  if (answer && !isNew && answer.text !== save.answer) problems.push('the repetition is answered otherwise')
  if (answer && isNew) saves.acknowledge(save, answer.text)
  const [found, next] = await Promise.all([fsckProblems(stage), restarted(scene)])
  // Repeated, as the service would: now it must be accepted, and stored once.
  const again = save.answer === null ? await post(next.url, save) : null
  if (again?.json.rc === 1) saves.acknowledge(save, again.text)
  const problem =
    save.answer === null ? `its repetition is answered ${again?.text}` : await servedProblem(next.url, save)
  if (isNew && save.answer !== null) taken.push(save)
  if (problem !== null) problems.push(problem)
  broken.push(...[...problems, ...found].map((text) => `${kind}, ${inWords(point)}: ${text}`))
  return { wasKilled, next }
}
