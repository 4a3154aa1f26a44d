import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { randomFrom } from '../../tests/support/random.ts'
import { createSaves, post } from '../../tests/support/saves.ts'
import { signatureOf } from '../../tests/support/service.ts'
import { quantile } from '../bench/statistics.ts'
import { capture } from '../runtime/processes.ts'
import { listProblems } from './support/checks.ts'
import { killed, onStage, type Stage } from './support/stage.ts'
import type { Given, Torture, Verdict } from './torture.ts'

const forgers = 2
const saveLimitMs = 1_000
/** The interval between two valid saves: the forgeries must be what keeps the listener busy. */
const savePauseMs = 100
/** Required of a run that is long enough to be measured. */
const rateLimit = 1_000
const rateCountsFrom = 20_000

/** Processes send callbacks with wrong signatures while one valid save follows another. */
export const forgeries: Torture = {
  name: 'forgeries',
  goal: 'G8',
  title: 'forged callbacks on 300 connections: none accepted, and valid saves answered within a second',
  unit: 'forgeries',
  size: { long: 100_000, short: 400 },
  twins: { 'any-signature': 'every signature of the right form fits' },
  run: onStage(play),
}

async function play(stage: Stage, { size, seed, patience, say }: Given): Promise<Verdict> {
  const { service } = stage
  const listener = await stage.listen()
  const { prepare, acknowledge } = createSaves(service, randomFrom(seed), { sizes: [4_000, 20_000, 70_000] })
  const broken: string[] = []
  const script = join(import.meta.dirname, 'forger.ts')
  const wanted = prepare('media', 'another').contentUrl
  const asked = new URL(wanted).pathname
  const other = signatureOf(service.secret, 'another', wanted)
  const url = `${listener.url}/callback/acme`
  const began = performance.now()
  const over = new AbortController()
  const forging = Promise.all(
    Array.from({ length: forgers }, (_, at) =>
      capture(process.execPath, [script, url, String(size / forgers), String(seed + at), wanted, other]),
    ),
  ).finally(() => over.abort())

  const saves = []
  const times: number[] = []
  while (!over.signal.aborted) {
    const save = prepare('media', `post/${saves.length % 2}`)
    const sentAt = performance.now()
    const answer = await post(listener.url, save)
    times.push(performance.now() - sentAt)
    if (answer?.json.rc === 1) acknowledge(save, answer.text)
    else broken.push(`a valid save was answered ${answer?.status} ${answer?.text}`)
    saves.push(save)
    await wait(savePauseMs, null, { signal: over.signal }).catch(() => null)
    if (saves.length % 50 === 0) say(`${saves.length} valid saves beside the forgeries`)
  }
  const said = (await forging).map(({ code, stdout, stderr }) => {
    if (code !== 0) throw new Error(`A forger ended with ${code}: ${stderr}`)
    return JSON.parse(stdout) as { statuses: Record<string, number>; accepted: number }
  })
  const rate = (size * 1000) / (performance.now() - began)
  const statuses = said.flatMap(({ statuses: of }) => Object.entries(of))
  const others = statuses.filter(([status]) => !['400', '503', 'cut off'].includes(status))
  const accepted = said.reduce((sum, one) => sum + one.accepted, 0)
  const foreign = service.downloads.filter(({ path }) => path === asked || path.startsWith(`${asked}-`)).length
  const slowest = Math.max(...times)

  if (accepted > 0) broken.push(`${accepted} forgeries were not refused`)
  for (const [status, times] of others) broken.push(`${times} forgeries were answered ${status}`)
  if (foreign > 0) broken.push(`${foreign} forgeries made the listener ask the service`)
  if (slowest > saveLimitMs * patience) broken.push(`a valid save took ${Math.round(slowest)} ms`)
  if (size >= rateCountsFrom && rate < rateLimit) broken.push(`${Math.round(rate)} forgeries a second were refused`)
  broken.push(
    ...(await listProblems(
      stage,
      saves.filter(({ answer }) => answer !== null),
    )),
  )
  await killed(listener)
  return {
    figures: {
      forgeries: size,
      accepted,
      'a second': Math.round(rate),
      'valid saves': saves.length,
      'median ms': quantile(times, 0.5),
      'slowest ms': Math.round(slowest),
    },
    broken,
  }
}
