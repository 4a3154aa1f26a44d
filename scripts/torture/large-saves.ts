import { randomFrom } from '../../tests/support/random.ts'
import { createSaves, post, servedProblem } from '../../tests/support/saves.ts'
import { fsckProblems } from './support/checks.ts'
import { peaksOf } from './support/peaks.ts'
import { killed, onStage, type Stage } from './support/stage.ts'
import { NotHeld, type Given, type Torture, type Verdict } from './torture.ts'

const files = 400
/** All of them make 199 MiB, so that the archive with its page and headers stays within 200. */
const fileBytes = Math.floor((199 * 1024 ** 2) / files)
const largestBytes = 200 * 1024 ** 2
const answerLimitMs = 5_000
const memoryMbAtMost = 150

/** The largest saves that a site takes by default, one after another. */
export const largeSaves: Torture = {
  name: 'large-saves',
  goal: 'G13',
  title: 'saves of 200 MiB in 400 files: answered within 5 s, 150 MiB of memory at most',
  unit: 'saves',
  size: { long: 10, short: 1 },
  twins: { 'keeps-downloads': 'every archive stays in memory as a whole' },
  run: onStage(play),
}

async function play(stage: Stage, given: Given): Promise<Verdict> {
  const { size, seed, patience, say } = given
  const listener = await stage.listen()
  const random = randomFrom(seed)
  const small = createSaves(stage.service, random, { sizes: [3_000, 70_000] })
  const large = createSaves(stage.service, random, { sizes: Array.from({ length: files }, () => fileBytes) })
  const broken: string[] = []
  let [taken, slowest, memory] = [0, 0, 0]

  // The first save starts threads and loads code, whose memory is not this one's.
  const warm = await post(listener.url, small.prepare('media', 'post/warm'))
  if (warm?.json.rc !== 1) throw new NotHeld(`A small save was answered ${warm?.text}`)
  for (let at = 1; at <= size; at += 1) {
    const save = large.prepare('media', 'post/large')
    const peaks = await peaksOf(listener, stage.library, () => post(listener.url, save))
    const answer = peaks.value
    if (answer?.json.rc !== 1) {
      broken.push(`save ${at} was answered ${answer?.text.slice(0, 200)}`)
      continue
    }
    taken += 1
    large.acknowledge(save, answer.text)
    const problem = await servedProblem(listener.url, save)
    if (problem !== null) broken.push(problem)
    if (peaks.ms > answerLimitMs * patience) broken.push(`save ${at} took ${Math.round(peaks.ms)} ms`)
    if (peaks.memoryMb > memoryMbAtMost) broken.push(`save ${at} took ${Math.round(peaks.memoryMb)} MiB of memory`)
    slowest = Math.max(slowest, peaks.ms)
    memory = Math.max(memory, peaks.memoryMb)
    say(`save ${at}: ${Math.round(peaks.ms)} ms, ${Math.round(peaks.memoryMb)} MiB`)
  }
  const tooLarge = small.prepare('media', 'post/large')
  stage.service.put('media', tooLarge.versionId, Buffer.alloc(largestBytes + 1))
  const refusal = await post(listener.url, tooLarge)
  if (refusal?.json.code !== 'content_too_large') broken.push(`200 MiB and a byte were answered ${refusal?.text}`)
  broken.push(...(await fsckProblems(stage)))
  await killed(listener)
  const figures = { taken, 'slowest ms': Math.round(slowest), 'MiB of memory more': Math.round(memory) }
  return { figures, broken }
}
