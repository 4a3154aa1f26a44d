import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { sharedCephAddress, startCeph } from './ceph.ts'

/**
 * Runs before the first test: the first test that asks for Ceph starts it, the others share it, and it ends with the run.
 * It belongs to the process of the run, so it also ends if a process of tests crashes.
 */
export default async function offerCeph(): Promise<() => Promise<void>> {
  // Another process or project of this run offers it.
  if (process.env[sharedCephAddress] !== undefined) return () => Promise.resolve()
  let started: ReturnType<typeof startCeph> | null = null
  const server = createServer((_, response) => {
    started ??= startCeph(existsSync('/dev/shm') ? '/dev/shm' : undefined)
    started.then(
      ({ place }) => response.end(JSON.stringify(place)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.env[sharedCephAddress] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return async () => {
    server.close()
    await started?.then(({ stop }) => stop()).catch(() => undefined)
  }
}
