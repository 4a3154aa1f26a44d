/**
 * The other side of the emulator bench, in its own process: editors that save, and the site that receives the callbacks. The
 * site downloads every archive and sends a fixed answer, so that it costs the same with any service. Prints its callback
 * address, then runs each `Round` that it receives and replies with the milliseconds.
 */

import { createHmac } from 'node:crypto'
import { Agent, createServer, request, type IncomingMessage, type RequestOptions, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { saveBody, siteAnswer } from './emulated-save.ts'

/** This many saves to these addresses in turn, with one in flight per address. */
export interface Round {
  readonly saves: number
  readonly addresses: readonly string[]
}

const [apiKey = '', secret = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
const body = saveBody()

const site = createServer((message, response) => void takeCallback(message, response))
let answer: Buffer = Buffer.alloc(0)

async function takeCallback(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const { material_id: materialId, content_url: contentUrl } = JSON.parse(String(await bytesOf(message))) as {
    material_id: string
    content_url: string
  }
  const query = new URLSearchParams({ api_key: apiKey, material_id: materialId }).toString()
  const signature = createHmac('sha256', secret).update(`${materialId}:${contentUrl}`).digest('hex')
  await exchange(`${contentUrl}?${query}`, { headers: { 'x-service-signature': signature } })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
}

async function exchange(url: string, options: RequestOptions, sent?: Buffer): Promise<Buffer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { ...options, agent }, resolve)
      .on('error', reject)
      .end(sent)
  })
  const received = await bytesOf(response)
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}: ${String(received)}`)
  return received
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function play({ saves, addresses }: Round): Promise<number> {
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  let left = saves
  const start = performance.now()
  await Promise.all(
    addresses.map(async (address) => {
      while (left-- > 0) {
        const report = JSON.parse(String(await exchange(address, { method: 'POST', headers }, body))) as {
          result: string
        }
        if (report.result !== 'merged') throw new Error(`A save ended as ${report.result}`)
      }
    }),
  )
  return performance.now() - start
}

site.listen(0, '127.0.0.1', () => {
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  answer = siteAnswer(origin)
  process.send?.({ callbackUrl: `${origin}/callback` })
})
process.on('message', (round: Round) => void play(round).then((ms) => process.send?.({ ms })))
process.on('disconnect', () => process.exit(0))
