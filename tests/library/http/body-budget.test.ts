import { describe, expect, it, onTestFinished } from 'vitest'

import { callbackHead, chunk, rawConnection, statusOf } from '../../support/attacks/raw-connections.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'

const mebibyte = 1024 * 1024

async function setUp() {
  const made = await createTestGalley()
  await made.know('post-1')
  const open = (from?: string) => {
    const connection = rawConnection(made.listener, from)
    onTestFinished(() => void connection.socket.destroy())
    return connection
  }
  /** Declares a body, sends its beginning, and returns whether it was accepted; a refusal is answered at once. */
  const announce = (length: number, from?: string) => {
    const connection = open(from)
    connection.socket.write(`${callbackHead(length)}{"a":"${'x'.repeat(10_000)}`)
    return connection
  }
  /** Sends the rest of the body declared by `announce`. */
  const finish = ({ socket }: ReturnType<typeof open>) => void socket.write('x'.repeat(4 * mebibyte - 10_006))
  const saves = async () => {
    const save = aSave(made.service)
    return (await made.post(save.body, save.headers)).json.rc
  }
  return { ...made, open, announce, finish, saves }
}

describe('bodies in transfer', () => {
  it('of one address take at most half of the budget; others are accepted, and released budget is used again', async () => {
    const { announce, finish, saves } = await setUp()
    const held = Array.from({ length: 8 }, () => announce(4 * mebibyte))
    // Queued after all of them in the listener: its refusal means that the budget is used up.
    const refused = announce(4 * mebibyte)
    const said = await refused.closed
    expect([statusOf(said), /retry-after: 5\r\n/i.test(said), said.includes('"code":"busy"')]).toEqual([
      '503',
      true,
      true,
    ])
    expect(held.map((connection) => connection.said())).toEqual(Array.from({ length: 8 }, () => ''))

    // From another address, half of the rest.
    const elsewhere = Array.from({ length: 4 }, () => announce(4 * mebibyte, '127.0.0.2'))
    expect(statusOf(await announce(4 * mebibyte, '127.0.0.2').closed)).toBe('503')
    expect(elsewhere.map((connection) => connection.said())).toEqual(['', '', '', ''])
    // A typical callback is always accepted.
    expect(await saves()).toBe(1)

    // Aborted by the sender, or refused for its type: both release all of it.
    for (const { socket } of held.slice(0, 4)) socket.destroy()
    held.slice(4).forEach(finish)
    for (const { closed } of held.slice(4)) expect(statusOf(await closed)).toBe('400')
    // Half of what other addresses leave.
    const again = Array.from({ length: 6 }, () => announce(4 * mebibyte))
    expect(statusOf(await announce(4 * mebibyte).closed)).toBe('503')
    expect(again.map((connection) => connection.said())).toEqual(Array.from({ length: 6 }, () => ''))
  })

  it('without a length take budget as they grow', async () => {
    const { announce, open, saves } = await setUp()
    for (let count = 0; count < 8; count++) announce(4 * mebibyte - 16_384)
    expect(statusOf(await announce(4 * mebibyte).closed)).toBe('503')
    const growing = open()
    growing.socket.write(callbackHead('chunked') + chunk('x'.repeat(60_000)))
    // It was accepted: a later request in the same queue is answered, and it is not.
    expect(await saves()).toBe(1)
    expect(growing.said()).toBe('')
    growing.socket.write(chunk('x'.repeat(1_000_000)))
    const said = await growing.closed
    expect([statusOf(said), said.includes('"code":"busy"')]).toEqual(['503', true])
  })

  it('release it when they time out', async () => {
    const { announce, finish } = await setUp()
    const held = Array.from({ length: 8 }, () => announce(4 * mebibyte))
    for (const { closed } of held) expect(statusOf(await closed)).toBe('408')
    const again = announce(4 * mebibyte)
    finish(again)
    expect(statusOf(await again.closed)).toBe('400')
  })

  it('in pieces of one byte use no more memory than whole ones', async () => {
    const { open, saves } = await setUp()
    expect(await saves()).toBe(1)
    const before = process.memoryUsage()
    const pieces = chunk('x').repeat(50_000)
    const senders = Array.from({ length: 10 }, () => open())
    for (const { socket } of senders) socket.write(callbackHead('chunked') + pieces)
    await Promise.all(senders.map(({ socket }) => new Promise<void>((resolve) => socket.write('', () => resolve()))))
    expect(await saves()).toBe(1)
    const { heapUsed, external } = process.memoryUsage()
    // 10 x 64 KiB of bodies; as lists of pieces they would take hundreds of bytes per piece.
    expect(heapUsed + external - before.heapUsed - before.external).toBeLessThan(30e6)
  })

  it('in hundreds of tiny pieces are refused; in larger ones they are read', async () => {
    const { open, saves } = await setUp()
    const send = async (pieces: string) => {
      const { socket, closed } = open()
      socket.write(callbackHead('chunked') + pieces + chunk(''))
      const said = await closed
      return `${statusOf(said)} ${/"rm":"([^"]*)"/.exec(said)?.[1]}`
    }
    const tiny = await send(chunk('x').repeat(20_000))
    expect(tiny).toMatch(/^400 .*it comes in hundreds of tiny chunks/)
    // Node uses the parser again for the next connection.
    const larger = ['{"a":"', ...Array.from({ length: 200 }, () => 'x'.repeat(300)), '"}']
    expect(await send(larger.map(chunk).join(''))).toMatch(/^400 .*no signature/)
    expect(await saves()).toBe(1)
  })
})
