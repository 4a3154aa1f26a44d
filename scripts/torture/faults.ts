import { setTimeout as wait } from 'node:timers/promises'

import { randomFrom } from '../../tests/support/random.ts'
import { createSaves, post, servedProblem, type Sent } from '../../tests/support/saves.ts'
import { fsckProblems, listProblems } from './support/checks.ts'
import { afterMs, attachAt, corrected, inWords, pointsOf, spread, started, watched } from './support/points.ts'
import type { Choice, Point, Scene } from './support/points.ts'
import { killed, onStage, type Listener, type Stage } from './support/stage.ts'
import { namedPaths, openPath, type Call } from './support/trace.ts'
import { NotHeld, type Given, type Torture, type Verdict } from './torture.ts'

const kinds = ['media', 'fonts'] as const
/** The errors of a broken disk, a full one, a used quota and a disk that became read-only, with their states on `/ready`. */
const errors = { EIO: 'disk_error', ENOSPC: 'disk_full', EDQUOT: 'quota_used', EROFS: 'disk_read_only' } as const
type FaultName = keyof typeof errors
const errorNames = ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'] as const
/** How often the whole library is compared with itself. */
const pointsACheck = 25
/** How often a point is tried, each time by the calls of the save before. A point that is missed then fails the run. */
const attempts = 5
/**
 * The wait before a point is tried again. Longer than until the journals are written back to the databases: only the first
 * commit after that begins a journal again, which it syncs.
 */
const retryMs = 1_500

/** Makes every call of a save that changes the library fail once, with each of the errors. */
export const faults: Torture = {
  name: 'faults',
  goal: 'G4',
  title:
    'EIO, ENOSPC, EDQUOT and EROFS at every call of a save that changes the library: none acknowledged falsely, /ready says the true cause, and a retry succeeds, after a restart only where a sync of the log failed',
  unit: 'points of each kind and error at most',
  size: { long: 2_000, short: 1 },
  needs: ['trace'],
  twins: { 'deaf-to-the-disk': 'a sync that fails is taken for one that went well' },
  run: onStage(play),
}

async function play(stage: Stage, given: Given): Promise<Verdict> {
  const saves = createSaves(stage.service, randomFrom(given.seed), { sizes: [3_000, 70_000] })
  const scene: Scene = { given, stage, saves, taken: [], broken: [] }
  const { broken, taken } = scene
  const choice = choiceIn(stage.library)
  let [points, refused, acknowledged, missed, restarts] = [0, 0, 0, 0, 0]
  let listener = await started(scene)
  for (const kind of kinds) {
    const save = saves.prepare(kind, kind === 'media' ? 'post/one' : 'site-fonts')
    const { calls, threads, answer } = await watched(given, listener, save)
    if (answer?.json.rc !== 1) throw new NotHeld(`The watched save was answered ${answer?.text}`)
    saves.acknowledge(save, answer.text)
    taken.push(save)
    const all = pointsOf(calls, threads, choice)
    const isSync = (call: Call): boolean => isOfTheLibrary(call, stage.library) && isSyncOfASave(call)
    const syncs = pointsOf(calls, threads, { ...choice, isMeant: isSync })
    for (const error of errorNames) {
      // A short run picks a few; one of them is a sync.
      const chosen =
        all.length <= given.size ? all : [...spread(syncs, 1), ...spread(all, given.size - 1)].slice(0, given.size)
      for (const point of chosen) {
        const seen = await reach(scene, listener, kind, point, error)
        points += 1
        if (seen.outcome === 'refused') refused += 1
        if (seen.outcome === 'acknowledged') acknowledged += 1
        if (seen.outcome === 'missed') {
          missed += 1
          given.say(`missed: ${kind}, ${error} at ${inWords(point)}`)
        }
        restarts += seen.restarts
        listener = seen.next
        if (points % pointsACheck === 0) {
          broken.push(...(await fsckProblems(stage)))
          given.say(`${kind}, ${error}: ${points} points in all, ${missed} missed, ${broken.length} broken`)
        }
        if (broken.length > 20) break
      }
    }
  }
  await killed(listener)
  broken.push(...(await listProblems(stage, taken)), ...(await fsckProblems(stage)))
  if (refused === 0) broken.push('no fault kept a save from being taken')
  if (missed > 0) broken.push(`${missed} of ${points} points were missed`)
  return { figures: { points, refused, acknowledged, missed, restarts, saves: taken.length }, broken }
}

/**
 * Whether a call changes something in the library, rather than a pipe, a socket or another thread. Not what is written back
 * from the journals to the databases: that follows a save at most once a second, so it is seen with one save and not the next.
 * Nor what Galley writes about itself, nor its probes of the disk, nor the index of the search: its own thread makes that from
 * what is stored, sooner or later. The folder of the library is synced by that thread alone, for a new journal.
 */
function isOfTheLibrary(call: Call, library: string): boolean {
  if (call.name === 'openat' && !call.arguments.includes('O_CREAT')) return false
  const paths = [openPath(call) ?? '', ...namedPaths(call)]
  const isLeftOut = (path: string): boolean =>
    path === library ||
    /\/(?:index|local)\.db$|\/search\.db|[/.]probe$/.test(path) ||
    path.startsWith(`${library}/logs`)
  return paths.some((path) => path.startsWith(library) && !isLeftOut(path))
}

/**
 * A call on a database or the log is counted among those on its file, because temporary files of the database and messages
 * between threads, whose number differs from save to save, are written with the same calls.
 */
const choiceIn = (library: string): Choice => ({
  isMeant: (call) => isOfTheLibrary(call, library),
  fileOf(call) {
    const path = openPath(call) ?? namedPaths(call)[0] ?? ''
    return path.startsWith(library) && /(?:\.db(?:-wal|-journal)?|\.jsonl)$/.test(path) ? path : null
  },
})

/** Visits a point, again with corrected counts when the save missed it. */
async function reach(scene: Scene, listener: Listener, kind: Sent['kind'], point: Point, error: FaultName) {
  let [at, next, restarts] = [point, listener, 0]
  for (let attempt = 1; ; attempt += 1) {
    const { outcome, calls, ...seen } = await visit(scene, next, kind, at, error)
    if (seen.next !== next) restarts += 1
    next = seen.next
    if (outcome !== 'missed' || attempt === attempts) return { outcome, next, restarts }
    at = corrected(point, calls, choiceIn(scene.stage.library))
    await wait(retryMs)
  }
}

/**
 * Sends a save with one failing call, then the same save on a working disk: to the same listener, unless a sync of the log
 * failed.
 */
async function visit(scene: Scene, listener: Listener, kind: Sent['kind'], point: Point, error: FaultName) {
  const { given, saves, taken, broken } = scene
  const { library } = scene.stage
  const save = saves.prepare(kind, kind === 'media' ? 'post/one' : 'site-fonts')
  const attached = await attachAt(given, listener, point, `error=${error}`)
  const answer = await post(listener.url, save)
  const hasEnded = await Promise.race([listener.ended.then(() => true), wait(afterMs / 4, false)])
  const calls = await attached.detach()
  const failed = calls.find(({ result }) => result.includes('INJECTED'))
  const onDisk = failed !== undefined && isOfTheLibrary(failed, library)
  const place = `${kind}, ${error} at ${inWords(point)}`
  const what = failed === undefined ? place : `${place} (${failed.name} of ${pathIn(scene, failed)})`

  if (hasEnded && onDisk) broken.push(`${what}: the listener ended: ${listener.stderr().slice(-300)}`)
  const isTaken = answer?.json.rc === 1
  if (isTaken && onDisk && isSyncOfASave(failed)) broken.push(`${what}: it was acknowledged all the same`)
  if (isTaken) saves.acknowledge(save, answer.text)
  const outcome = !onDisk ? 'missed' : isTaken ? 'acknowledged' : 'refused'

  const needsRestart = onDisk && isSyncOfTheLog(failed, library) && !isTaken
  if (!hasEnded) {
    const state = await readyState(listener)
    const allowed = needsRestart ? ['disk_failed'] : ['ready', ...(onDisk && !isTaken ? statesOf(failed, error) : [])]
    if (!allowed.includes(state)) broken.push(`${what}: /ready says ${state}, not ${allowed.join(' or ')}`)
    await sendAgain(scene, listener, save)
    if ((save.answer !== null) === needsRestart)
      broken.push(`${what}: on a disk that works again it is ${needsRestart ? 'taken' : 'refused'} before a restart`)
  }
  let next = listener
  if (hasEnded || needsRestart || save.answer === null) {
    listener.kill('SIGTERM')
    const end = await listener.ended
    // Node.js ends itself if it cannot wake a thread. No disk does that.
    const isOfADisk = failed === undefined || onDisk
    if (!hasEnded && end !== 0 && isOfADisk) broken.push(`${what}: the listener did not end cleanly (${end})`)
    next = await started(scene)
    const last = await sendAgain(scene, next, save)
    if (save.answer === null) broken.push(`${what}: after a restart it is answered ${last?.text}`)
  }
  if (save.answer !== null) {
    taken.push(save)
    const problem = await servedProblem(next.url, save)
    if (problem !== null) broken.push(`${what}: ${problem}`)
  }
  return { outcome, next, calls }
}

/** Sends a save that was not acknowledged yet, and notes the answer if it is now. */
async function sendAgain({ saves }: Scene, { url }: Listener, save: Sent) {
  if (save.answer !== null) return null
  const again = await post(url, save)
  if (again?.json.rc === 1) saves.acknowledge(save, again.text)
  return again
}

async function readyState({ healthUrl }: Listener): Promise<string> {
  const answer = await fetch(`${healthUrl}/ready`)
  return ((await answer.json()) as { state: string }).state
}

/** The states that name a fault. SQLite tells a full disk from other faults, but not those from each other. */
const statesOf = (call: Call, error: FaultName): readonly string[] =>
  /\.db(?:-wal|-shm|-journal)?$/.test(openPath(call) ?? namedPaths(call)[0] ?? '')
    ? [errors[error], 'disk_error']
    : [errors[error]]

const pathIn = ({ stage }: Scene, call: Call): string =>
  [openPath(call) ?? '', ...namedPaths(call)].join(' ').replaceAll(stage.library, '').trim()

/** A sync of files, folders or the log. Only the database's own commit can tell which of its syncs matter. */
const isSyncOfASave = (call: Call): boolean =>
  /^f(?:data)?sync$/.test(call.name) && !/\.db(?:-wal)?$/.test(openPath(call) ?? '')

const isSyncOfTheLog = (call: Call, library: string): boolean =>
  isSyncOfASave(call) && (openPath(call) ?? '').startsWith(`${library}/log`)
