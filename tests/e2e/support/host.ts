import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { pageMediaType } from '../../../packages/wire/media-types.ts'
import { atEnd } from './at-end.ts'

/**
 * Serves a folder below a path like a web host: with the folder's index, the type of each file, and its own 404 page.
 */
export async function aHost(folder: string, below = '/'): Promise<string> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname)
    const name = path.startsWith(below) ? path.slice(below.length).replace(/^$|(?<=\/)$/, 'index.html') : '../nothing'
    readFile(join(folder, name)).then(
      (bytes) => response.writeHead(200, { 'content-type': pageMediaType(name) }).end(bytes),
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${below}`
}
