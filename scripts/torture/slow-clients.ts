import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

import { randomFrom } from '../../tests/support/random.ts'
import { createSaves, post, type SavedAnswer } from '../../tests/support/saves.ts'
import { settledDescriptors } from './soak.ts'
import { listProblems } from './support/checks.ts'
import { openDescriptors, residentMb } from './support/process-figures.ts'
import { killed, onStage, type Stage } from './support/stage.ts'
import { NotHeld, type Given, type Torture, type Verdict } from './torture.ts'

const sockets = 500
const saveLimitMs = 2_000
const descriptorsMore = 5
/** Larger than the kernel's buffers for a client that does not read. */
const mediaBytes = 24 * 1024 ** 2

/** Clients that open a connection and then stall, as many as in a small attack. */
export const slowClients: Torture = {
  name: 'slow-clients',
  goal: 'G11',
  title:
    '500 slow sockets, among them readers of public media that never read: valid saves within 2 s, descriptors as before',
  unit: 'seconds',
  size: { long: 300, short: 3 },
  twins: { 'few-places': 'the listener has places for 20 connections and none for more' },
  run: onStage(play),
}

async function play(stage: Stage, given: Given): Promise<Verdict> {
  const { size, seed, patience, say } = given
  const listener = await stage.listen()
  const random = randomFrom(seed)
  const large = createSaves(stage.service, random, { sizes: [mediaBytes] })
  const { prepare, acknowledge } = createSaves(stage.service, random, { sizes: [4_000, 70_000] })
  const broken: string[] = []

  const film = large.prepare('media', 'post/film')
  const taken = await post(listener.url, film)
  if (taken?.json.rc !== 1) throw new NotHeld(`The film was not taken: ${taken?.text}`)
  large.acknowledge(film, taken.text)
  const assets = (JSON.parse(taken.text) as SavedAnswer).data.vms_json?.assets ?? {}
  const filmPath = new URL(Object.values(assets)[0]?.clientUrl ?? 'missing:').pathname

  const descriptorsBefore = openDescriptors(listener.processId)
  const memoryBefore = residentMb(listener.processId)
  const slow = createSlowSockets(new URL(listener.url), filmPath)
  const saves = [film]
  const times: number[] = []
  let [memory, failed] = [memoryBefore, 0]
  const end = performance.now() + size * 1000
  while (performance.now() < end || saves.length < 3) {
    const save = prepare('media', 'post/one')
    const began = performance.now()
    const answer = await Promise.race([
      post(listener.url, save),
      wait(saveLimitMs * patience * 2, null, { ref: false }),
    ])
    times.push(performance.now() - began)
    if (answer?.json.rc === 1) {
      acknowledge(save, answer.text)
      saves.push(save)
    } else {
      failed += 1
      broken.push(`a valid save was answered ${answer?.status ?? 'nothing'} ${answer?.text ?? ''}`)
    }
    memory = Math.max(memory, residentMb(listener.processId))
    if (times.length % 20 === 0) say(`${times.length} valid saves, ${failed} failed, ${slow.open()} slow sockets open`)
    if (failed > 20) break
    await wait(300)
  }
  const slowest = Math.max(...times)
  const opened = slow.opened()
  slow.close()
  const descriptors = await settledDescriptors(listener.processId, descriptorsBefore)
  if (slowest > saveLimitMs * patience) broken.push(`a valid save took ${Math.round(slowest)} ms`)
  if (Math.abs(descriptors) > descriptorsMore) broken.push(`${descriptors} descriptors more are open than before`)
  broken.push(...(await listProblems(stage, saves)))
  await killed(listener)
  return {
    figures: {
      sockets,
      'opened in all': opened,
      'valid saves': saves.length - 1,
      failed,
      'slowest ms': Math.round(slowest),
      'MiB more': Math.round(memory - memoryBefore),
      'descriptors more': descriptors,
    },
    broken,
  }
}

/** Keeps this many sockets open: one that is closed is opened again. */
function createSlowSockets({ hostname, port }: URL, filmPath: string) {
  const head = `POST /callback/acme HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\n`
  const film = `GET ${filmPath} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`
  const kinds: readonly { readonly first: string; readonly later: string; readonly isDeaf: boolean }[] = [
    { first: '', later: '', isDeaf: false },
    { first: 'POST /callb', later: 'a', isDeaf: false },
    { first: head, later: 'X-More: 1\r\n', isDeaf: false },
    { first: `${head}Content-Length: 100000\r\n\r\n{`, later: ' ', isDeaf: false },
    { first: film, later: '', isDeaf: true },
  ]
  const all = new Set<Socket>()
  let isOver = false
  let opened = 0
  const open = (at: number): void => {
    const kind = kinds[at % kinds.length]
    if (isOver || kind === undefined) return
    const socket = connect(Number(port), hostname)
    opened += 1
    all.add(socket)
    if (kind.isDeaf) socket.pause()
    else socket.resume()
    socket.on('connect', () => void socket.write(kind.first))
    const drip = setInterval(() => void (kind.later === '' || socket.write(kind.later)), 1_000)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearInterval(drip)
      all.delete(socket)
      setTimeout(open, 200, at)
    })
  }
  for (let at = 0; at < sockets; at += 1) open(at)
  return {
    open: () => all.size,
    opened: () => opened,
    close(): void {
      isOver = true
      for (const socket of all) socket.destroy()
    },
  }
}
