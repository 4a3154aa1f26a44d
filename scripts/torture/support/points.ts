/** Every place of a save where a system call changes something: found by watching one save, then visited one by one. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Sent } from '../../../tests/support/saves.ts'
import { post } from '../../../tests/support/saves.ts'
import type { Listener } from './stage.ts'
import { attach, changingCalls, threadsOf, type Call } from './trace.ts'
import type { Given } from '../torture.ts'

/** The nth call of that name in that thread, since the save began. */
export interface Point {
  readonly thread: string
  readonly name: string
  readonly nth: number
}

/** Work that begins after the answer, as clearing up, belongs to the save. */
export const afterMs = 400

export const inWords = ({ thread, name, nth }: Point): string => `${name} ${nth} of ${thread}`

/** Watches one save; gives the changing calls of it and what comes just after, and how it was answered. */
export async function watched(given: Given, { url, processId }: Listener, save: Sent) {
  const threads = new Map(Array.from(threadsOf(processId), ([name, thread]) => [thread, name]))
  const attached = await attach(given, { processId }, [`trace=${changingCalls.join(',')}`])
  const answer = await post(url, save)
  await wait(afterMs)
  const calls = await attached.detach()
  return { calls, answer, threads }
}

/** The points in the order in which they came, without those that `isMeant` leaves out. */
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

/** At most so many of them, evenly from the last, which is always among them, to the first. */
export function spread(points: readonly Point[], count: number): readonly Point[] {
  if (points.length <= count) return points
  const step = (points.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, at) => points.at(-1 - Math.round(at * step)))
    .filter((point) => point !== undefined)
    .toReversed()
}
