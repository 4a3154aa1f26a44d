/** Finds the system calls of a save that change something, by tracing one save. */
import { setTimeout as wait } from 'node:timers/promises'
import type { createSaves, Sent } from '../../../tests/support/saves.ts'
import { post } from '../../../tests/support/saves.ts'
import type { Listener, Stage } from './stage.ts'
import { attach, changingCalls, threadsOf, traceable, type Attached, type Call } from './trace.ts'
import { NotHeld, type Given } from '../torture.ts'

/** The nth call of that name in that thread since the start of the save. */
export interface Point {
  readonly thread: string
  readonly name: string
  readonly nth: number
}

/** Calls count for this long after the answer, because a save cleans up after it. */
export const afterMs = 400

/** The set-up of a torture that tries every point. */
export interface Scene {
  readonly given: Given
  readonly stage: Stage
  readonly saves: ReturnType<typeof createSaves>
  /** All acknowledged saves. */
  readonly taken: Sent[]
  readonly broken: string[]
}

/** A listener with all threads started, and one more save in the library. */
export async function started({ stage, saves, taken }: Scene): Promise<Listener> {
  const listener = await stage.listen(traceable)
  const warm = saves.prepare('media', 'post/warm')
  const answer = await post(listener.url, warm)
  if (answer?.json.rc !== 1) throw new NotHeld(`A save after a start was answered ${answer?.text}`)
  saves.acknowledge(warm, answer.text)
  taken.push(warm)
  return listener
}

/** Attaches to the thread of a point. When the thread gets there, `effect` happens, in strace's syntax. */
export async function attachAt(given: Given, { processId }: Listener, point: Point, effect: string): Promise<Attached> {
  const threads = threadsOf(processId)
  // The number of workers depends on earlier work; all of them do the same work.
  const thread = threads.get(point.thread) ?? (point.thread.startsWith('worker ') ? threads.get('worker 1') : undefined)
  if (thread === undefined) throw new Error(`The listener has no thread "${point.thread}"`)
  const injection = `inject=${point.name}:${effect}:when=${point.nth}`
  return attach(given, { thread }, [`trace=${point.name}`, injection])
}

export const inWords = ({ thread, name, nth }: Point): string => `${name} ${nth} of ${thread}`

/** Traces one save. Returns its changing calls, including those just after the answer, and the answer. */
export async function watched(given: Given, { url, processId }: Listener, save: Sent) {
  const threads = new Map(Array.from(threadsOf(processId), ([name, thread]) => [thread, name]))
  const attached = await attach(given, { processId }, [`trace=${changingCalls.join(',')}`])
  const answer = await post(url, save)
  await wait(afterMs)
  const calls = await attached.detach()
  return { calls, answer, threads }
}

/** The points in the order of their calls, without those that `isMeant` excludes. */
export function pointsOf(
  calls: readonly Call[],
  threads: ReadonlyMap<number, string>,
  isMeant: (call: Call) => boolean = () => true,
): readonly Point[] {
  const counts = new Map<string, number>()
  const points: Point[] = []
  for (const call of calls.toSorted((one, other) => one.beganAt - other.beganAt)) {
    const thread = threads.get(call.thread)
    if (thread === undefined) continue
    const key = `${thread} ${call.name}`
    const nth = (counts.get(key) ?? 0) + 1
    counts.set(key, nth)
    if (isMeant(call)) points.push({ thread, name: call.name, nth })
  }
  return points
}

/** At most this many points, spread evenly from the first to the last, which is always included. */
export function spread(points: readonly Point[], count: number): readonly Point[] {
  if (points.length <= count) return points
  const step = (points.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, at) => points.at(-1 - Math.round(at * step)))
    .filter((point) => point !== undefined)
    .toReversed()
}
