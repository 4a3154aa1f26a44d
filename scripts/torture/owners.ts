import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { stream } from '../../tests/support/galley-process.ts'
import { randomFrom } from '../../tests/support/random.ts'
import { createSaves, post, servedProblem, type Sent } from '../../tests/support/saves.ts'
import { fsckProblems, listProblems } from './support/checks.ts'
import { onStage, type Stage } from './support/stage.ts'
import type { Given, Torture, Verdict } from './torture.ts'

const startsAtOnce = 3
const decidedLimitMs = 20_000

/** Several listeners start on one library at the same instant; half of the time, next to one that already serves it. */
export const owners: Torture = {
  name: 'owners',
  goal: 'G16',
  title: 'many starts at once: always one owner, the others say who it is, no database error',
  unit: 'starts',
  size: { long: 1_000, short: 6 },
  twins: { 'lost-lock': 'the file that holds the ownership is deleted while it is held' },
  run: onStage(play),
}

type Start = ReturnType<typeof begin>

async function play(stage: Stage, given: Given): Promise<Verdict> {
  const { size, seed, twin, say } = given
  const random = randomFrom(seed)
  const { prepare, acknowledge } = createSaves(stage.service, random, { sizes: [4_000, 70_000] })
  const broken: string[] = []
  const saves: Sent[] = []
  let owner: Start | null = null
  let ownerUrl = ''
  let [starts, refused] = [0, 0]
  while (starts < size && broken.length < 10) {
    if (twin === 'lost-lock' && owner !== null) loseLocks(stage.library)
    const batch = Array.from({ length: startsAtOnce }, () => begin(stage, given))
    starts += batch.length
    const decided = await Promise.all(
      batch.map((start) => Promise.race([start.decided, wait(decidedLimitMs, null, { ref: false })])),
    )
    const winners = batch.filter((_, at) => decided[at]?.url !== undefined)
    const expected = owner === null ? 1 : 0
    if (winners.length !== expected)
      broken.push(`of ${batch.length} starts ${winners.length} own the library, not ${expected}`)
    for (const one of decided) {
      if (one === null) broken.push('a start neither listened nor ended')
      else if (one.url === undefined && one.code !== 'library_in_use')
        broken.push(`a start ended with ${one.code}: ${one.said}`)
      else if (one.url === undefined) refused += 1
    }
    const winner: Start | null = owner === null ? (winners[0] ?? null) : null
    for (const other of winners) if (other !== winner) await end(other, 'SIGKILL')
    if (owner === null && winner) {
      owner = winner
      ownerUrl = (await winner.decided).url ?? ''
    }
    const save = prepare('media', 'post/one')
    const answer = await post(ownerUrl, save)
    if (answer?.json.rc === 1) acknowledge(save, answer.text)
    else broken.push(`the owner answered a save ${answer?.text}`)
    saves.push(save)
    // Every other time the next ones start next to the owner; otherwise it has ended, cleanly or not.
    if (owner !== null && random() < 0.5) {
      await end(owner, random() < 0.5 ? 'SIGKILL' : 'SIGTERM')
      owner = null
    }
    if (starts % 50 === 0) say(`${starts} of ${size} starts, ${broken.length} broken`)
  }
  if (owner !== null) await end(owner, 'SIGTERM')
  const last = await stage.listen()
  const acknowledged = saves.filter(({ answer }) => answer !== null)
  for (const save of acknowledged) {
    const problem = await servedProblem(last.url, save)
    if (problem !== null) broken.push(problem)
  }
  broken.push(...(await listProblems(stage, acknowledged)), ...(await fsckProblems(stage)))
  last.kill('SIGTERM')
  await last.ended
  return { figures: { starts, refused, owners: starts - refused, saves: acknowledged.length }, broken }
}

/** Starts one listener. `decided` is its address, or how it ended. */
function begin({ library, service }: Stage, { atEnd }: Given) {
  const environment = { GALLEY_SECRETS: 'env', GALLEY_SECRET_ACME: service.secret }
  const run = stream(['listen', '--json', '--library', library, '--port', '0'], environment, { atEnd })
  interface Line {
    readonly event?: string
    readonly url?: string
    readonly error?: { readonly code: string; readonly message: string }
  }
  const first = run.line((line: Line) => line.event === 'listening' || line.error !== undefined)
  const decided = first.then(
    ({ url, error }) => ({ url, code: error?.code, said: error?.message ?? '' }),
    (error: Error) => ({ url: undefined, code: 'nothing', said: error.message }),
  )
  return { ...run, decided }
}

async function end(start: Start | null, signal: NodeJS.Signals): Promise<void> {
  start?.child.kill(signal)
  await start?.ended
}

/** What a naive clean-up would do. */
function loseLocks(library: string): void {
  for (const name of readdirSync(library).filter((entry) => entry.startsWith('owner.'))) rmSync(join(library, name))
}
