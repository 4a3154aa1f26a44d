import { connect } from 'node:net'

import { randomFrom } from '../../../tests/support/random.ts'
import { createSaves, post, servedProblem } from '../../../tests/support/saves.ts'
import { killed, onStage, type Stage } from '../support/stage.ts'
import type { Given, Torture, Verdict } from '../torture.ts'
import { forgedDelivery, handMade, type RawRequest } from './hand-made.ts'
import { mutated } from './mutate.ts'

const connectionsAtOnce = 8
/** Longer than the listener's own time limit for a request. */
const answerLimitMs = 20_000

/** Sends everything that can arrive at a port without being a callback of the service. */
export const requests: Torture = {
  name: 'requests',
  goal: 'G7',
  title:
    'malformed requests, by hand and mutated: only 4xx or 503, none accepted, nothing asked of the service, no crash',
  unit: 'mutants',
  size: { long: 10_000, short: 200 },
  twins: { 'any-signature': 'every signature of the right form fits' },
  run: onStage(play),
}

async function play(stage: Stage, { size, seed, patience, say }: Given): Promise<Verdict> {
  const { service } = stage
  const listener = await stage.listen()
  const random = randomFrom(seed)
  const { prepare, acknowledge } = createSaves(service, random)
  const target = new URL(listener.url)
  const bait = prepare('media', 'post-1')
  const forged = { host: target.host, contentUrl: bait.contentUrl }
  const good = forgedDelivery(forged)
  const byHand = handMade(forged)
  const broken: string[] = []
  const statuses = new Map<string, number>()

  async function throwAt({ name, bytes }: RawRequest): Promise<void> {
    const answer = await answerOf(target, bytes, answerLimitMs * patience)
    if (answer === null) return void broken.push(`${name}: the connection was left open`)
    const found = Array.from(answer.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status = '']) => status)
    for (const status of found.length > 0 ? found : ['closed']) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const wrong = found.filter((status) => !/^4\d\d$|^503$/.test(status))
    if (wrong.length > 0)
      broken.push(`${name}: answered ${wrong.join(', ')} to ${JSON.stringify(bytes.toString('latin1', 0, 300))}`)
    if (/"rc":\s*1/.test(answer)) broken.push(`${name}: accepted`)
  }

  for (const request of byHand) await throwAt(request)
  let thrown = 0
  const keepThrowing = async (): Promise<void> => {
    while (thrown < size && broken.length < 20) {
      thrown += 1
      const name = `mutant ${thrown}`
      await throwAt({ name, bytes: mutated(good, random) })
      if (thrown % 2_000 === 0) say(`${thrown} of ${size} mutants`)
    }
  }
  await Promise.all(Array.from({ length: connectionsAtOnce }, keepThrowing))

  if (service.downloads.length > 0) broken.push(`the service was asked ${service.downloads.length} times`)
  // The same process still accepts a valid save.
  const save = prepare('media', 'post-2')
  const answer = await post(listener.url, save)
  if (answer?.json.rc === 1) acknowledge(save, answer.text)
  else broken.push(`afterwards a true save was answered ${answer?.text}: ${listener.stderr().slice(-300)}`)
  const problem = save.answer === null ? null : await servedProblem(listener.url, save)
  if (problem !== null) broken.push(problem)
  await killed(listener)
  const counted = Array.from(statuses, ([status, times]) => `${status} x ${times}`)
    .toSorted()
    .join(' ')
  return { figures: { 'by hand': byHand.length, mutants: thrown, answers: counted }, broken }
}

/** Sends the bytes and nothing else. Returns what arrives until the connection closes, or null if it stays open. */
function answerOf({ hostname, port }: URL, bytes: Buffer, limitMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    const limit = setTimeout(() => (resolve(null), socket.destroy()), limitMs)
    socket.setEncoding('latin1').on('data', (text: string) => (answer += text))
    // Refused in the middle of the body: the answer until then counts.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => (clearTimeout(limit), resolve(answer)))
    socket.end(bytes)
  })
}
