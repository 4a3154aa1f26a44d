/** A stand-in for the service, in its own process: streams the archives of one folder. Ends with its standard input. */

import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const [folder = '.'] = process.argv.slice(2)

const server = createServer((request, response) => {
  const version = /^\/integration\/download\/media\/bench\/([a-z0-9]+)(?:\?|$)/.exec(request.url ?? '')?.[1]
  const file = version === undefined ? null : join(folder, `${version}.zip`)
  const size = file === null ? undefined : statSync(file, { throwIfNoEntry: false })?.size
  if (file === null || size === undefined) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, { 'content-type': 'application/zip', 'content-length': size })
  createReadStream(file, { highWaterMark: 1024 * 1024 }).pipe(response)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.stdin.resume().on('end', () => process.exit(0))
