/**
 * Saves into a team library on a real S3 storage on loopback, compared with a local library, and the delays of other
 * members.
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
import { atMost, told, type Figure } from './figure.ts'
import { callBack, callbackSecret, teamEnvironment, type Team } from './listener.ts'
import { makeSave } from './save.ts'
import { warmUp, withStage, type BenchOptions, type Stage } from './stage.ts'
import { median, quantile } from './statistics.ts'
import { stepsLine } from './steps.ts'

const shape = { files: 3, fileBytes: 16 * 1024, method: 'deflated' } as const
const materials = 10

export async function benchTeam(options: BenchOptions): Promise<readonly Figure[]> {
  if (!hasCeph) {
    console.log('team: radosgw, ceph-mon or ceph-osd is missing (apt-get install): there is no storage to save into')
    return []
  }
  const ceph = await startCeph()
  try {
    await ceph.makeBucket('bench', 'private')
    const team: Team = { place: 's3://bench/library', endpoint: ceph.url, keys: ceph.owner }
    return await withStage(options, (folder) =>
      withStage({ ...options, team }, async (member) => [
        ...(await sideBySide(folder, member, options.isQuick ? 40 : 200)),
        ...(await othersWait(member, team, options.isQuick ? 3 : 10)),
      ]),
    )
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
    told('team: 50 KB save into a folder, median', median(plain), ' ms', 1),
    told('team: 50 KB save into the bucket, median', median(team), ' ms', 1),
    told('team: 50 KB save into the bucket, 99% within', quantile(team, 0.99), ' ms', 1),
    told('team: against the folder', median(team) / median(plain), 'x', 1),
  ]
}

/** How long a new machine takes to join, and how soon a following one has what another one has acknowledged. */
async function othersWait(member: Stage, team: Team, count: number): Promise<readonly Figure[]> {
  const library = join(member.folder, 'follower')
  const env = { ...process.env, GALLEY_SECRETS: 'env', GALLEY_SECRET_BENCH: callbackSecret, ...teamEnvironment(team) }
  const globals = ['--json', '--library', library]
  const join_ = ['team', 'join', team.place, '--endpoint', team.endpoint, '--region', 'us-east-1']
  const startedMs = performance.now()
  const joined = await capture(process.execPath, [cliFile, ...join_, ...globals], { env })
  if (joined.code !== 0) throw new Error(`The follower could not join: ${joined.stderr}`)
  const joinMs = performance.now() - startedMs
  const follower = startService(
    process.execPath,
    [cliFile, 'listen', '--port', '0', ...globals],
    ['ignore', 'pipe', 'inherit'],
    env,
  )
  const index = new BetterSqlite3(join(library, 'index.db'), { readonly: true })
  try {
    if (follower.stdout === null) throw new Error('The follower has no output')
    const lines = createInterface(follower.stdout)
    const [first] = (await once(lines, 'line')) as [string]
    // A member that saves polls at short intervals.
    const own = makeSave(member.archives, 'own', shape)
    await callBack((JSON.parse(first) as { url: string }).url, member.serviceUrl, own)
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
      told(`team: a new machine joins, ${before} versions`, joinMs / 1000, ' s', 1),
      atMost('team: a follower has a save after its answer, longest', Math.max(...lags), 2_500, ' ms'),
    ]
  } finally {
    index.close()
    await stopService(follower)
  }
}
