/**
 * The minimum that a site must do for a save, in its own process: verifies the callback, downloads the archive, writes it
 * twice with the five syncs of a save, and answers. It unpacks and indexes nothing. Ends with its standard input.
 */

import { createHash, createHmac } from 'node:crypto'
import { closeSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer, json } from 'node:stream/consumers'
import { Agent, request } from 'undici'

import { callbackSecret } from './listener.ts'

const [folder = '.'] = process.argv.slice(2)
const places = ['a', 'b'].map((name) => join(folder, name))
for (const place of [folder, ...places]) mkdirSync(place, { recursive: true })
const log = openSync(join(folder, 'log'), 'w')
const dispatcher = new Agent({ keepAliveTimeout: 10_000 })
const logLine = Buffer.alloc(2_000)
const answer = JSON.stringify({ rc: 1, rm: 'stored', data: 'x'.repeat(2_000) })

async function store(callback: IncomingMessage): Promise<boolean> {
  const body = (await json(callback)) as { material_id: string; content_url: string }
  const signature = createHmac('sha256', callbackSecret).update(`${body.material_id}:${body.content_url}`).digest('hex')
  if (signature !== callback.headers['x-service-signature']) return false
  const download = await request(body.content_url, { dispatcher, headers: { 'x-service-signature': signature } })
  const archive = await buffer(download.body)
  const name = createHash('sha256').update(archive).digest('hex')
  for (const place of places) {
    const staged = join(folder, name)
    const file = openSync(staged, 'wx')
    writeSync(file, archive)
    fsyncSync(file)
    closeSync(file)
    renameSync(staged, join(place, name))
  }
  for (const place of places) {
    const opened = openSync(place, 'r')
    fsyncSync(opened)
    closeSync(opened)
  }
  writeSync(log, logLine)
  fdatasyncSync(log)
  return true
}

const server = createServer((callback, response) => {
  void store(callback).then((isStored) => response.writeHead(isStored ? 200 : 403).end(answer))
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.stdin.resume().on('end', () => process.exit(0))
