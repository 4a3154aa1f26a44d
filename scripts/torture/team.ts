import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'

import {
  anotherGateway,
  hasCeph,
  sharedCeph,
  sharedCephAddress,
  startCeph,
  type CephGateway,
} from '../../tests/support/ceph.ts'
import { randomFrom } from '../../tests/support/random.ts'
import { startS3Server } from '../../tests/support/s3-server.ts'
import { createSaves, post, servedProblem, type Sent } from '../../tests/support/saves.ts'
import { fsckProblems, listProblems } from './support/checks.ts'
import { startRoughProxy } from './support/rough-proxy.ts'
import { killed, setStage, stageAt, type Listener, type Stage } from './support/stage.ts'
import { NotHeld, type Given, type Torture, type Verdict } from './torture.ts'

const killEveryMs = 3_000
/** How long the storage is gone, in the middle of a long run. */
const awayMs = 30_000
const slowMs = 1_000
/** How long unacknowledged saves are sent again at the end, once the storage responds. */
const repeatedForMs = 30_000
/** With so many problems, the others need not be listed: each may take as long as a request may. */
const enough = 3
/** From this size on, a run has a part without the storage and a slow one. */
const longFromSeconds = 120

/** Listeners of one team receive saves and are killed, while their storage cuts, refuses, delays and goes away. */
export const team: Torture = {
  name: 'team',
  goal: 'G26',
  title:
    'listeners of one team, killed every 3 s, beside a storage that cuts, refuses, delays and goes away: no save lost',
  unit: 'seconds',
  size: { long: 300, short: 6 },
  twins: { 'no-condition': 'the storage ignores the condition for entries of the log' },
  async run(given) {
    const figures: Record<string, number | string> = {}
    const broken: string[] = []
    for (const count of given.size < longFromSeconds ? [2] : [8, 4, 2]) {
      const one = await playWith(count, given)
      Object.assign(figures, one.figures)
      broken.push(...one.broken.map((problem) => `${count} listeners: ${problem}`))
    }
    return { figures, broken }
  },
}

interface Storage {
  readonly url: string
  readonly bucket: string
  readonly keys: { readonly id: string; readonly secret: string }
  readonly stop: () => Promise<unknown>
  readonly start: () => Promise<unknown>
}

/** A gateway to kill: of the storage that all tests of a run share, or of one that is started for this. */
async function ownGateway(atEnd: Given['atEnd']): Promise<CephGateway> {
  if (process.env[sharedCephAddress] === undefined) {
    const ceph = await startCeph()
    atEnd(ceph.stop)
    return ceph
  }
  const ceph = await anotherGateway(await sharedCeph())
  atEnd(ceph.killGateway)
  return ceph
}

/** A gateway of Ceph where it is installed, otherwise a server in memory. */
async function startStorage({ atEnd }: Given): Promise<Storage> {
  const nothing = (): Promise<null> => Promise.resolve(null)
  if (!hasCeph) {
    const server = await startS3Server()
    atEnd(server.close)
    return { url: server.url, bucket: 'team', keys: { id: 'key', secret: 'secret' }, stop: nothing, start: nothing }
  }
  const ceph = await ownGateway(atEnd)
  const bucket = await ceph.aBucket('private')
  return { url: ceph.url, bucket, keys: ceph.owner, stop: ceph.killGateway, start: ceph.startGateway }
}

/** A machine of the team, with the listener that runs on it now. */
interface Machine {
  readonly stage: Stage
  listener: Listener
}

async function playWith(count: number, given: Given): Promise<Verdict> {
  const { size, seed, twin, say } = given
  const storage = await startStorage(given)
  const proxy = await startRoughProxy(storage.url)
  given.atEnd(proxy.close)
  const machines = await startMachines(count, given, storage, proxy.url)
  const random = randomFrom(seed + count)
  const { prepare, acknowledge } = createSaves(machines[0]!.stage.service, random, { sizes: [3_000, 20_000, 70_000] })
  const sent: Sent[] = []
  const broken: string[] = []
  const life = { isOver: false, kills: 0, repeated: 0 }
  const anyListener = (): string => machines[Math.floor(random() * machines.length)]?.listener.url ?? ''

  /** Delivers like the service: repeats a save until it is acknowledged, each time to the listener that a balancer chooses. */
  async function deliver(save: Sent, isOver: () => boolean): Promise<void> {
    while (save.answer === null && !isOver()) {
      const answer = await post(anyListener(), save)
      if (answer?.json.rc === 1) return acknowledge(save, answer.text)
      if (answer !== null && answer.status < 500) {
        broken.push(`${save.versionId} was answered ${answer.status} ${answer.text}`)
        return
      }
      life.repeated += 1
      await wait(100 + random() * 400)
    }
  }
  async function keepSaving(materialId: string): Promise<void> {
    while (!life.isOver) {
      const save = prepare('media', materialId)
      sent.push(save)
      await deliver(save, () => life.isOver)
    }
  }
  async function keepKilling(): Promise<void> {
    for (let nth = 0; !life.isOver; nth += 1) {
      await wait(killEveryMs)
      const machine = machines[nth % count]!
      if (life.isOver) return
      await killed(machine.listener)
      machine.listener = await machine.stage.listen()
      life.kills += 1
    }
  }

  proxy.how.isRough = true
  proxy.how.ignoresCondition = twin === 'no-condition'
  const began = performance.now()
  const work = Promise.all([keepKilling(), ...machines.map((_, nth) => keepSaving(`post/${nth}`))])
  // It is awaited later.
  work.catch(() => undefined)
  const partMs = (size * 1000 - (size < longFromSeconds ? 0 : awayMs)) / 2
  await wait(partMs)
  if (size >= longFromSeconds) {
    say(`${count} listeners: ${sent.length} saves, ${life.kills} kills; the storage is gone`)
    proxy.how.isAway = true
    await storage.stop()
    await wait(awayMs)
    await storage.start()
    Object.assign(proxy.how, { isAway: false, delayMs: slowMs })
    say(`${count} listeners: the storage is back, and slow`)
  }
  await wait(partMs)
  life.isOver = true
  await work
  const seconds = (performance.now() - began) / 1000
  const rate = sent.filter(({ answer }) => answer !== null).length / seconds

  // Unacknowledged saves are sent again, and then acknowledged.
  Object.assign(proxy.how, { isRough: false, delayMs: 0 })
  const endMs = performance.now() + repeatedForMs
  const unheard = sent.filter(({ answer }) => answer === null)
  for (const save of unheard) await deliver(save, () => performance.now() > endMs)
  const lost = await lostSaves(sent, anyListener)
  broken.push(...lost, ...(await differences(machines, sent)))
  say(`${count} listeners: ${sent.length} saves, ${rate.toFixed(2)} a second, ${broken.length} broken`)
  return {
    figures: Object.fromEntries(
      Object.entries({
        saves: sent.length,
        'a second': rate,
        lost: lost.length,
        kills: life.kills,
        'sent again': life.repeated,
        'requests cut': proxy.counts.cut,
        'answered 503': proxy.counts.refused,
      }).map(([name, value]) => [`${count} listeners ${name}`, value]),
    ),
    broken,
  }
}

async function startMachines(count: number, given: Given, storage: Storage, url: string): Promise<Machine[]> {
  const keys = { GALLEY_TEAM_ACCESS_KEY_ID: storage.keys.id, GALLEY_TEAM_SECRET_ACCESS_KEY: storage.keys.secret }
  // The storage is what is broken, not the listeners.
  const whole = { ...given, twin: null }
  const { service } = await setStage(whole, { name: `team-${count}/0` })
  const place = [`s3://${storage.bucket}/library`, '--endpoint', url, '--region', 'us-east-1']
  const machines: Machine[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const stage = stageAt(whole, service, `team-${count}/${nth}`, keys)
    await stage.jsonOf('team', nth === 0 ? 'import' : 'join', ...place)
    machines.push({ stage, listener: await stage.listen() })
  }
  return machines
}

/** Asks any listener for each save: the same answer again, and every file byte for byte. */
async function lostSaves(sent: readonly Sent[], anyListener: () => string): Promise<readonly string[]> {
  const problems: string[] = []
  for (const save of sent) {
    if (problems.length >= enough) break
    const problem =
      save.answer === null ? `${save.versionId} was never acknowledged` : await servedProblem(anyListener(), save)
    if (problem !== null) problems.push(problem)
  }
  return problems
}

/** Checks the library of each machine by its commands, and compares their indexes. */
async function differences(machines: readonly Machine[], sent: readonly Sent[]): Promise<readonly string[]> {
  const problems: string[] = []
  for (const { stage, listener } of machines) {
    await killed(listener)
    problems.push(...(await listProblems(stage, sent)), ...(await fsckProblems(stage)))
  }
  // After the checks, which record what they find for the whole team.
  const rows: ReadonlyMap<string, string>[] = []
  for (const { stage } of machines) {
    const { behind } = (await stage.jsonOf('team', 'status')) as { readonly behind: number | null }
    if (behind !== 0) problems.push(`a member ends ${behind} entries behind`)
    rows.push(rowsOf(stage.library))
  }
  for (const [table, hash] of rows[0] ?? [])
    if (rows.some((each) => each.get(table) !== hash)) problems.push(`the members have other rows in ${table}`)
  return problems
}

/** A hash of each table that follows from the log. The search text is filled in the background. */
function rowsOf(library: string): ReadonlyMap<string, string> {
  const db = new BetterSqlite3(join(library, 'index.db'), { readonly: true })
  try {
    const tables = db
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all()
      .filter((name) => !/^(?:sqlite_|material_text|unread_page)/.test(name))
    if (tables.length < 5) throw new NotHeld('The index has no tables')
    return new Map(
      tables.map((name) => {
        // The position of the entry in the local log differs: each computer has its own segments.
        const columns = name === 'applied' ? 'library, position, hash' : '*'
        return [name, hashOf(db.prepare<[], object>(`SELECT ${columns} FROM ${name}`).all())]
      }),
    )
  } finally {
    db.close()
  }
}

const hashOf = (rows: readonly object[]): string => {
  const lines = rows.map((row) => JSON.stringify(row)).toSorted()
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
