import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { ListenFailure } from '../records/listener-state.ts'
import { listenFailureSentence } from '../records/listener-state.ts'

/** The address is in use or not permitted. */
export class ListenError extends Error {
  /** The code of a command that ends with this error. */
  readonly code = 'cannot_listen'
  readonly failure: ListenFailure

  constructor(code: string, host: string, port: number) {
    const failure = { kind: 'failed', code, host, port } as const
    super(listenFailureSentence(failure))
    this.failure = failure
  }
}

/** Opens the port of a server and returns its URL; port 0 is any free one. Throws ListenError. */
export async function startServer(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new ListenError(error.code ?? 'unknown', host, port)))
    server.listen({ port, host }, () => resolve())
  })
  const { address, family, port: opened } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${opened}`
}
