import { randomUUID } from 'node:crypto'

import type { Options } from '../options.ts'
import type { ArchiveServer } from '../service/archive-server.ts'
import type { Run } from './bench.ts'
import { authorizationHeader, credentialKeys } from './credentials.ts'
import { createPublicFetch } from './public-file.ts'
import { createTranscript } from './transcript.ts'

/** What the cases of one run share. */
export function createRun(
  options: Options,
  service: ArchiveServer,
  elsewhere: ArchiveServer,
  planted: Run['planted'],
  signal: AbortSignal,
): Run {
  const { baseUrl, auth } = options
  const runId = randomUUID().slice(0, 8)
  let words = 0
  return {
    ...options,
    baseUrl: baseUrl.href.replace(/\/+$/, ''),
    service,
    // Another name as well as another port: some backends compare no more than the name.
    elsewhere: {
      origin: `http://${baseUrl.hostname === '127.0.0.1' ? 'localhost' : '127.0.0.1'}:${elsewhere.port}`,
      server: elsewhere,
    },
    authorization: auth && authorizationHeader(auth),
    sessionMetadata: auth ? credentialKeys(auth) : {},
    fresh: () => `${runId}-${++words}`,
    transcript: createTranscript([options.secret, options.apiKey]),
    fetchPublic: createPublicFetch(options.callbackUrl, signal),
    causes: new Map(),
    planted,
    signal,
  }
}
