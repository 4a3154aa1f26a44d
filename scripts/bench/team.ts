/**
 * Saves into a team library on a real S3 storage on loopback, compared with a local library; the delays of other members;
 * the rate of several listeners; and a join of a large library.
 */

import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'

import { hasCeph, startCeph } from '../../tests/support/ceph.ts'
import { cliFile } from '../runtime/built.ts'
import { capture, startService, stopService } from '../runtime/processes.ts'
import { fillLibrary } from './big-library.ts'
import { atMost, withoutGoal, type Figure } from './figure.ts'
import { callBack, callbackSecret, teamEnvironment, type Team } from './listener.ts'
import { makeSave } from './save.ts'
import { warmUp, withStage, type BenchOptions, type Stage } from './stage.ts'
import { median, quantile } from './statistics.ts'
import { stepsLine } from './steps.ts'

const shape = { files: 3, fileBytes: 16 * 1024, method: 'deflated' } as const
const materials = 10
const listenerCounts = [1, 2, 4, 8] as const
/** Editors who save without a pause, each a material of their own, at whichever listener is next. */
const editors = 16

export async function benchTeam(options: BenchOptions): Promise<readonly Figure[]> {
  if (!hasCeph) {
    console.log('team: radosgw, ceph-mon or ceph-osd is missing (apt-get install): there is no storage to save into')
    return []
  }
  const ceph = await startCeph()
  const teamOf = (bucket: string): Team => ({ place: `s3://${bucket}/library`, endpoint: ceph.url, keys: ceph.owner })
  try {
    for (const bucket of ['bench', 'big']) await ceph.makeBucket(bucket, 'private')
    const team = teamOf('bench')
    const saves = await withStage(options, (folder) =>
      withStage({ ...options, team }, async (member) => [
        ...(await sideBySide(folder, member, options.isQuick ? 40 : 200)),
        ...(await othersWait(member, team, options.isQuick ? 3 : 10)),
        ...(await severalListeners(member, team, options.isQuick ? 10 : 30)),
      ]),
    )
    return [...saves, ...(await joinsLarge(options, teamOf('big')))]
  } finally {
    await ceph.stop()
  }
}

/** Saves into both libraries in turn. */
async function sideBySide(folder: Stage, member: Stage, count: number): Promise<readonly Figure[]> {
  const stages = [folder, member]
  for (const stage of stages) await warmUp(stage)
  const answered = stages.map((): Awaited<ReturnType<Stage['accepted']>>[] => [])
  for (let at = 0; at < count; at += 1)
    for (const [which, { accepted, archives }] of stages.entries()) {
      const save = makeSave(archives, `single-${at % materials}`, shape)
      answered[which]?.push(await accepted(save))
      rmSync(save.archiveFile)
    }
  const [plain = [], team = []] = answered.map((saves) => saves.map(({ ms }) => ms))
  console.log(`50 KB saves into a folder and into a team library, ${count} each in turns`)
  for (const [which, saves] of answered.entries())
    console.log(`  ${which === 0 ? 'folder' : 'team  '} steps, medians: ${stepsLine(saves)}`)
  return [
    withoutGoal('team: 50 KB save into a folder, median', median(plain), ' ms', 1),
    withoutGoal('team: 50 KB save into the bucket, median', median(team), ' ms', 1),
    withoutGoal('team: 50 KB save into the bucket, 99% within', quantile(team, 0.99), ' ms', 1),
    withoutGoal('team: against the folder', median(team) / median(plain), 'x', 1),
  ]
}

const environmentOf = (team: Team): NodeJS.ProcessEnv => ({
  ...process.env,
  GALLEY_SECRETS: 'env',
  GALLEY_SECRET_BENCH: callbackSecret,
  ...teamEnvironment(team),
})

/** Runs a command of the command line on this library to its end, and returns how long it took. */
async function commandMs(library: string, team: Team, ...args: readonly string[]): Promise<number> {
  const start = performance.now()
  const { code, stderr } = await capture(process.execPath, [cliFile, ...args, '--json', '--library', library], {
    env: environmentOf(team),
  })
  if (code !== 0) throw new Error(`galley ${args.join(' ')} ended with ${code}: ${stderr}`)
  return performance.now() - start
}

const placeOf = ({ place, endpoint }: Team) => [place, '--endpoint', endpoint, '--region', 'us-east-1']

/** Another machine of the team: joins, and runs a listener. */
async function addMachine(library: string, team: Team) {
  const joinMs = await commandMs(library, team, 'team', 'join', ...placeOf(team))
  const listening = ['listen', '--port', '0', '--json', '--library', library]
  const child = startService(
    process.execPath,
    [cliFile, ...listening],
    ['ignore', 'pipe', 'inherit'],
    environmentOf(team),
  )
  if (child.stdout === null) throw new Error('The listener has no output')
  const [first] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url } = JSON.parse(first) as { url: string }
  return { joinMs, url, stop: () => stopService(child) }
}

/** How long a new machine takes to join, and how soon a following one has what another one has acknowledged. */
async function othersWait(member: Stage, team: Team, count: number): Promise<readonly Figure[]> {
  const library = join(member.folder, 'follower')
  const follower = await addMachine(library, team)
  const index = new BetterSqlite3(join(library, 'index.db'), { readonly: true })
  try {
    // A member that saves polls at short intervals.
    await callBack(follower.url, member.serviceUrl, makeSave(member.archives, 'own', shape))
    const versions = index.prepare<[], number>('SELECT count(*) FROM version').pluck()
    const before = versions.get() ?? 0
    const isThere = index.prepare<[string], number>('SELECT 1 FROM version WHERE version_id = ?').pluck()
    const lags: number[] = []
    for (let at = 0; at < count; at += 1) {
      const save = makeSave(member.archives, `followed-${at}`, shape)
      await member.accepted(save)
      const answeredMs = performance.now()
      while (isThere.get(save.versionId) === undefined) await wait(5)
      lags.push(performance.now() - answeredMs)
      rmSync(save.archiveFile)
    }
    return [
      withoutGoal(`team: a new machine joins, ${before} versions`, follower.joinMs / 1000, ' s', 1),
      atMost('team: a follower has a save after its answer, longest', Math.max(...lags), 2_500, ' ms'),
    ]
  } finally {
    index.close()
    await follower.stop()
  }
}

/** How many saves a second 1, 2, 4 and 8 listeners acknowledge, all on this machine. */
async function severalListeners(member: Stage, team: Team, seconds: number): Promise<readonly Figure[]> {
  const { archives, folder, serviceUrl, listener } = member
  const added: Awaited<ReturnType<typeof addMachine>>[] = []
  const figures: Figure[] = []
  try {
    for (const count of listenerCounts) {
      while (added.length < count - 1) added.push(await addMachine(join(folder, `machine-${added.length}`), team))
      const urls = [listener.url, ...added.map(({ url }) => url)]
      // The first saves of a listener start its threads and compile parsers.
      for (const url of urls) await callBack(url, serviceUrl, makeSave(archives, 'first', shape))
      const untilMs = performance.now() + seconds * 1000
      let acknowledged = 0
      let refused = 0
      const edit = async (editor: number): Promise<void> => {
        for (let turn = editor; performance.now() < untilMs; turn += 1) {
          const save = makeSave(archives, `many-${editor}`, shape)
          const { rc } = await callBack(urls[turn % urls.length] ?? listener.url, serviceUrl, save)
          if (rc === 1) acknowledged += 1
          else refused += 1
          rmSync(save.archiveFile)
        }
      }
      const startMs = performance.now()
      await Promise.all(Array.from({ length: editors }, (_, editor) => edit(editor)))
      const rate = acknowledged / ((performance.now() - startMs) / 1000)
      console.log(`  ${count} listeners, ${editors} editors: ${acknowledged} saves acknowledged, ${refused} refused`)
      figures.push(withoutGoal(`team: saves a second with ${count} listeners`, rate, '', 1))
    }
    return figures
  } finally {
    for (const machine of added) await machine.stop()
  }
}

/** A new machine joins a library of 10,000 materials and 100,000 versions, until it lists them. */
async function joinsLarge(options: BenchOptions, team: Team): Promise<readonly Figure[]> {
  return withStage(options, async (stage) => {
    await warmUp(stage)
    await stage.listener.stop()
    const library = join(stage.folder, 'library')
    await fillLibrary(library, 'bench')
    const importMs = await commandMs(library, team, 'team', 'import', ...placeOf(team))
    const joined = join(stage.folder, 'joined')
    const joinMs = await commandMs(joined, team, 'team', 'join', ...placeOf(team))
    const listMs = await commandMs(joined, team, 'materials', 'bench')
    return [
      withoutGoal('team: a library of 100,000 versions is imported', importMs / 1000, ' s', 1),
      atMost('team: a new machine joins it and lists its materials', (joinMs + listMs) / 1000, 20, ' s', 1),
    ]
  })
}
