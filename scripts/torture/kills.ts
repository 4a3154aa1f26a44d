import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { randomFrom } from '../../tests/support/random.ts'
import { createSaves, post, servedProblem, sha256Of, type Sent } from '../../tests/support/saves.ts'
import { fsckProblems, listProblems, showProblems } from './support/checks.ts'
import { killed, setStage, type Listener, type Stage } from './support/stage.ts'
import type { Given, Torture, Verdict } from './torture.ts'

const latestKillMs = 400
const readyLimitMs = 3_000
/** Rounds on one library. Then every byte of it is compared, and the next library starts small and fast. */
const roundsALibrary = 40
const materials = ['post/one', 'post/two', 'post/three', 'post/four']

/** The history of one library. */
interface Life {
  readonly stage: Stage
  readonly acknowledged: Sent[]
}

/** Kills the listener at random moments under load, and checks that everything it acknowledged is there. */
export const kills: Torture = {
  name: 'kills',
  goal: 'G1',
  title: 'kill -9 at random moments 0-400 ms under load: no acknowledged save is lost',
  unit: 'kills',
  size: { long: 1_000, short: 2 },
  twins: {
    'late-commits': 'what is answered is committed two seconds later',
    'lost-file': 'while the listener is dead, the disk loses one file of an acknowledged save',
  },
  run,
}

async function run(given: Given): Promise<Verdict> {
  const { size, seed, say } = given
  const random = randomFrom(seed)
  const broken: string[] = []
  let [acknowledged, unheard, slowestMs] = [0, 0, 0]
  for (let done = 0; done < size;) {
    const life: Life = { stage: await setStage(given, { name: `library-${done}` }), acknowledged: [] }
    const { prepare, acknowledge } = createSaves(life.stage.service, random)
    let listener = await life.stage.listen()
    const rounds = Math.min(roundsALibrary, size - done)
    for (let round = 1; round <= rounds; round += 1) {
      const sent: Sent[] = []
      const acknowledgedOne = Promise.withResolvers<void>()
      const keepSaving = async (kind: Sent['kind'], materialId: string): Promise<void> => {
        for (;;) {
          const save = prepare(kind, materialId)
          sent.push(save)
          const answer = await post(listener.url, save)
          if (answer?.json.rc !== 1) {
            if (answer) broken.push(`${save.versionId} was answered ${answer.text}`)
            return
          }
          acknowledge(save, answer.text)
          acknowledgedOne.resolve()
          if (kind === 'fonts') await wait(40)
        }
      }
      const lines = materials.map((materialId) => keepSaving('media', materialId))
      if (round % 3 === 0) lines.push(keepSaving('fonts', 'site-fonts'))
      await wait(random() * latestKillMs)
      // A twin breaks only what was acknowledged.
      if (given.twin !== null) await Promise.race([acknowledgedOne.promise, Promise.all(lines)])
      await killed(listener)
      await Promise.all(lines)
      if (given.twin === 'lost-file') await loseOneFile(life.stage.library, sent)

      listener = await life.stage.listen()
      slowestMs = Math.max(slowestMs, listener.readyMs)
      const limitMs = readyLimitMs * given.patience
      if (listener.readyMs > limitMs) broken.push(`ready again after ${Math.round(listener.readyMs)} ms`)
      const cutOff = sent.filter(({ answer }) => answer === null)
      broken.push(...(await problemsAfter(life, listener, sent, cutOff)))
      // The service repeats callbacks without an answer, and gets one.
      for (const save of cutOff) {
        unheard += 1
        const answer = await post(listener.url, save)
        if (answer?.json.rc === 1) acknowledge(save, answer.text)
        else broken.push(`${save.versionId} was cut off, and its repetition is answered ${answer?.text}`)
      }
      life.acknowledged.push(...sent.filter(({ answer }) => answer !== null))
      if (broken.length > 20) break
    }
    broken.push(...(await problemsAtTheEnd(life, listener)))
    await killed(listener)
    acknowledged += life.acknowledged.length
    done += rounds
    say(`${done} of ${size} kills, ${acknowledged} saves, ${broken.length} broken`)
    if (broken.length > 20) break
  }
  // A run that only kills an idle listener would prove nothing.
  if (unheard < size) broken.push(`only ${unheard} saves were cut off by ${size} kills`)
  return {
    figures: { kills: size, saves: acknowledged, 'cut off': unheard, 'slowest start ms': Math.round(slowestMs) },
    broken,
  }
}

/** After each kill: checks what this round acknowledged, over HTTP and in the lists, and compares the library with itself. */
async function problemsAfter(
  { stage, acknowledged }: Life,
  { url }: Listener,
  sent: readonly Sent[],
  cutOff: readonly Sent[],
): Promise<readonly string[]> {
  const heard = sent.filter(({ answer }) => answer !== null)
  const served = heard.map((save) => servedProblem(url, save))
  const [one] = heard
  const line = [...acknowledged, ...heard].filter(({ materialId }) => materialId === one?.materialId)
  const [problems, listed, checked] = await Promise.all([
    Promise.all(served),
    listProblems(stage, line, cutOff),
    fsckProblems(stage),
  ])
  return [...problems.filter((problem) => problem !== null), ...listed, ...checked]
}

/** After the last kill of a library: checks everything that it ever acknowledged. */
async function problemsAtTheEnd({ stage, acknowledged }: Life, { url }: Listener): Promise<readonly string[]> {
  const problems: string[] = []
  for (const save of acknowledged) {
    const problem = await servedProblem(url, save)
    if (problem !== null) problems.push(problem)
  }
  const last = acknowledged.findLast(({ kind }) => kind === 'media')
  const shown = last === undefined ? [] : await showProblems(stage, last)
  return [...problems, ...shown, ...(await listProblems(stage, acknowledged)), ...(await fsckProblems(stage))]
}

async function loseOneFile(library: string, sent: readonly Sent[]): Promise<void> {
  const acknowledged = new Set(sent.filter(({ answer }) => answer !== null).flatMap(({ files }) => [...files.values()]))
  const entries = await readdir(join(library, 'files'), { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    if (acknowledged.has(sha256Of(await readFile(path)))) return rm(path)
  }
}
