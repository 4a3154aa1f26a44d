/** Finds the system calls of a save that change something, by tracing one save. */

import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import type { createSaves, Sent } from '../../../tests/support/saves.ts'
import { post } from '../../../tests/support/saves.ts'
import { NotHeld, type Given } from '../torture.ts'
import type { Listener, Stage } from './stage.ts'
import { attach, changingCalls, threadsOf, traceable, type Attached, type Call } from './trace.ts'

/** The nth call of that name in that thread since the start of the save. */
export interface Point {
  readonly thread: string
  readonly name: string
  readonly nth: number
  /** If not null, only calls on this file count. */
  readonly file: string | null
  /** Its number among the points with this thread, name and file. */
  readonly rank: number
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
  const { name, nth, file } = point
  const all = Array.from(threadsOf(processId))
  // Any of the workers may do the work of a save, and each of them counts its own calls.
  const threads = all.filter(([role]) => role === point.thread || (isWorker(role) && isWorker(point.thread)))
  if (threads.length === 0) throw new Error(`The listener has no thread "${point.thread}"`)
  const target = { threads: threads.map(([, thread]) => thread) }
  return attach(given, target, [`trace=${name}`, `inject=${name}:${effect}:when=${nth}`], file === null ? [] : [file])
}

const isWorker = (role: string): boolean => role.startsWith('worker ')

export const inWords = ({ thread, name, nth, file }: Point): string =>
  `${name} ${nth} of ${thread}${file === null ? '' : ` on ${basename(file)}`}`

/** Traces one save. Returns its changing calls, including those just after the answer, and the answer. */
export async function watched(given: Given, { url, processId }: Listener, save: Sent) {
  const threads = new Map(Array.from(threadsOf(processId), ([name, thread]) => [thread, name]))
  const attached = await attach(given, { processId }, [`trace=${changingCalls.join(',')}`])
  const answer = await post(url, save)
  await wait(afterMs)
  const calls = await attached.detach()
  return { calls, answer, threads }
}

/** The choice of the calls that are points. */
export interface Choice {
  /** Whether a call is a point. */
  readonly isMeant?: (call: Call) => boolean
  /** The file on which calls like this one are counted, or null to count those on all files. */
  readonly fileOf?: (call: Call) => string | null
}

/** The points in the order of their calls. */
export function pointsOf(
  calls: readonly Call[],
  threads: ReadonlyMap<number, string>,
  { isMeant = () => true, fileOf = () => null }: Choice = {},
): readonly Point[] {
  const counts = new Map<string, number>()
  const points: Point[] = []
  const count = (key: string): number => {
    const nth = (counts.get(key) ?? 0) + 1
    counts.set(key, nth)
    return nth
  }
  for (const call of calls.toSorted((one, other) => one.beganAt - other.beganAt)) {
    const thread = threads.get(call.thread)
    if (thread === undefined) continue
    const { name } = call
    const file = fileOf(call)
    const inThread = count(`${thread} ${name}`)
    const onFile = count(`${thread} ${name} ${file}`)
    if (!isMeant(call)) continue
    points.push({
      thread,
      name,
      nth: file === null ? inThread : onFile,
      file,
      rank: count(`points: ${thread} ${name} ${file}`),
    })
  }
  return points
}

/**
 * The same point by the calls that counted in a save that missed it. A save may write fewer pages of a database than the
 * watched one, whose last one is then meant, or make more calls on other files in between.
 */
export function corrected(
  point: Point,
  calls: readonly Call[],
  { isMeant = () => true, fileOf = () => null }: Choice,
): Point {
  const isSuch = (call: Call): boolean => isMeant(call) && fileOf(call) === point.file
  const thread = calls.find(isSuch)?.thread
  const counted = calls.filter((call) => call.thread === thread).toSorted((one, other) => one.beganAt - other.beganAt)
  const such = counted.filter(isSuch)
  const call = such[Math.min(point.rank, such.length) - 1]
  return call === undefined ? point : { ...point, nth: counted.indexOf(call) + 1 }
}

/** At most this many points, spread evenly from the first to the last, which is always included. */
export function spread(points: readonly Point[], count: number): readonly Point[] {
  if (points.length <= count) return points
  const step = (points.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, at) => points.at(-1 - Math.round(at * step)))
    .filter((point) => point !== undefined)
    .toReversed()
}
