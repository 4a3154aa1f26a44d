import { randomUUID } from 'node:crypto'

import type { Credentials } from '../protocol/credentials.ts'
import { authorizationHeader, credentialKeys, credentialsOf, isHeaderValue } from '../protocol/credentials.ts'
import { createHostJudge, isLoopback } from '../protocol/hosts.ts'
import type { ArchiveServer } from '../service/archive-server.ts'
import type { Run } from './bench.ts'
import type { Session } from './prepare.ts'
import { createPublicFetch } from './public-file.ts'
import { createTranscript } from './transcript.ts'

/** The backend under test and the values the kit sends it. */
export interface RunOptions {
  readonly callbackUrl: URL
  readonly apiKey: string
  readonly secret: string
  /** The API root configured in the backend; its downloads must arrive at the kit's port. */
  readonly baseUrl: URL
  /** At least one, known to the backend. Cases with different materials run in parallel. */
  readonly materials: readonly string[]
  readonly signatureHeader: string
  /** The credentials that the backend asks for; null for those of the sessions that it opens. */
  readonly auth: Credentials | null
  /** URL of the page that shows a material, with `{material}` for its id; null when none was given. */
  readonly pageTemplate: string | null
}

/** Creates the state that the cases of one run share. */
export function createRun(
  options: RunOptions,
  service: ArchiveServer,
  foreignOrigin: ArchiveServer,
  planted: Run['planted'],
  signal: AbortSignal,
): Run {
  const { baseUrl, auth } = options
  function sessionOf(...materials: readonly string[]): Session {
    const opened = materials.map((material) => service.sessions.get(material)).find((each) => each !== undefined) ?? {}
    const { webhook_auth_user: user, webhook_auth_password: password, ...others } = opened
    const used = auth ?? credentialsOf(user, password)
    const header = used && authorizationHeader(used)
    const metadata = auth === null ? opened : { ...others, ...credentialKeys(auth) }
    // A token that no header can carry is a fault of the backend, which 'open-credentials' reports.
    return { metadata, authorization: header !== null && isHeaderValue(header) ? header : null }
  }
  const runId = randomUUID().slice(0, 8)
  let words = 0
  return {
    ...options,
    baseUrl: baseUrl.href.replace(/\/+$/, ''),
    service,
    // A different name as well as a different port: some backends compare only the name.
    foreignOrigin: {
      origin: `http://${baseUrl.hostname === '127.0.0.1' ? 'localhost' : '127.0.0.1'}:${foreignOrigin.port}`,
      server: foreignOrigin,
      // For a backend of another machine, or in a container, this origin is its own.
      isReachable: isLoopback(baseUrl.hostname) || planted.isVisible,
    },
    sessionOf,
    fresh: () => `${runId}-${++words}`,
    transcript: createTranscript([options.secret, options.apiKey]),
    fetchPublic: createPublicFetch(options.callbackUrl, signal),
    causes: new Map(),
    planted,
    hosts: createHostJudge(),
    signal,
  }
}
