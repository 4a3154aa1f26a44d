import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'

import type { DeliveryLimits } from '../../../packages/library/http/deliver.ts'
import { sendAnswer } from '../../../packages/library/http/deliver.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import { rawConnection } from '../../support/attacks/raw-connections.ts'

const limits: DeliveryLimits = { paceMs: 400, paceBytes: 16 * 1024, wholeMs: 60_000 }
/** More than all buffers between two processes can hold. */
const sizeBytes = 64 * 1024 * 1024

/** A server that answers everything with one large blob; `streams` are those from which it reads the blob. */
async function serving(given: DeliveryLimits) {
  const streams: Readable[] = []
  const openBlob = () => {
    let left = sizeBytes
    const stream = new Readable({
      read() {
        const piece = Math.min(left, 64 * 1024)
        left -= piece
        this.push(piece === 0 ? null : Buffer.alloc(piece, 'x'))
      },
    })
    streams.push(stream)
    return { sizeBytes, stream }
  }
  const answer = { httpStatus: 200, before: '<', blob: 'blob' as Sha256, after: '>' }
  const server = createServer((_, response) => sendAnswer(response, answer, openBlob, given))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, streams }
}

function ask(url: string) {
  const connection = rawConnection(url)
  onTestFinished(() => void connection.socket.destroy())
  connection.socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  return connection
}

test('a reader that never reads is disconnected, and its file is released', async () => {
  const { url, streams } = await serving(limits)
  const { socket } = ask(url)
  socket.pause()
  await expect.poll(() => streams[0]?.destroyed).toBe(true)
})

test('a reader that stops in the middle is disconnected', async () => {
  const { url, streams } = await serving(limits)
  const { socket } = ask(url)
  let read = 0
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read > 10_000_000) socket.pause()
  })
  await expect.poll(() => streams[0]?.destroyed).toBe(true)
  expect(read).toBeLessThan(sizeBytes)
})

test('a response has a total time limit, at any pace', async () => {
  const { url, streams } = await serving({ ...limits, paceBytes: 0, wholeMs: 300 })
  ask(url).socket.pause()
  await expect.poll(() => streams[0]?.destroyed).toBe(true)
})

test('a reader gets all of it, and its connection can be used again later', async () => {
  const { url, streams } = await serving(limits)
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const read = async () => {
    const request = get(url, { agent })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    let bytes = 0
    for await (const chunk of response) bytes += (chunk as Buffer).length
    return { bytes, isReused: request.reusedSocket }
  }
  expect(await read()).toEqual({ bytes: sizeBytes + 2, isReused: false })
  // Meanwhile the time passes in which a reader must read something.
  ask(url).socket.pause()
  await expect.poll(() => streams[1]?.destroyed).toBe(true)
  expect(await read()).toEqual({ bytes: sizeBytes + 2, isReused: true })
})
