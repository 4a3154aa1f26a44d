import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'
import type { Dispatcher } from 'undici'
import { errors, request } from 'undici'

import { authorizationOf } from '../callbacks/authorization.ts'
import { parseJsonObject } from '../json/json-value.ts'
import { assetEntries, clientUrlOf, isUnresolved } from '../saving/state-assets.ts'
import type { OpenedSession } from '../sessions/open-session.ts'
import type { ServiceSite } from '../sites/service-site.ts'
import { isAllowedHost } from '../sites/service-site.ts'
import type { Store } from '../store/open-store.ts'
import type { WantedFile } from '../store/restored-files.ts'
import type { Session } from '../store/sessions.ts'
import { wait } from '../time/wait.ts'

/** The reason stored for a file until its download ends. */
const notFetchedYet = 'the emulator was stopped before it received this file'

const parallelFetches = 4
const wholeTimeoutMs = 45_000
const fileLimitBytes = 64 * 1024 * 1024
const wholeLimitBytes = 256 * 1024 * 1024

/**
 * Restores expired sessions from the state that their sites send and the files that they serve (contract, Authentication 5,
 * session restore).
 */
export interface Restoring {
  /**
   * Starts to fetch the files of a new session with a passed state, or retries the missing files of an existing one.
   */
  readonly begin: (opened: OpenedSession, site: ServiceSite) => void
  /** Resolves when the session's files were fetched or failed, or after the given time. */
  readonly ended: (sessionId: string, atMostMs?: number) => Promise<void>
  /** Resolves when no downloads are running. */
  readonly allEnded: () => Promise<void>
}

interface RestoringPorts {
  readonly store: Pick<Store, 'contents' | 'restoredFiles'>
  readonly dispatcher: Dispatcher
  readonly closing: AbortSignal
  readonly onProblem: (problem: unknown) => void
}

const timeoutMs = 15_000

interface FileRequest {
  readonly url: string
  /** The same as for callbacks (contract, Authentication 5). */
  readonly authorization: string | null
  readonly dispatcher: Dispatcher
  /** Aborts the whole restore. */
  readonly signal: AbortSignal
  /** Receives the bytes in chunks; returning a reason stops the download. */
  readonly take: (bytes: Buffer) => string | null
}

/** GETs one public file of a site: no retries, no redirects, with a time limit. Fails with a readable reason. */
async function fetchFile(file: FileRequest): Promise<Result<null, string>> {
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const response = await request(file.url, {
      dispatcher: file.dispatcher,
      signal: AbortSignal.any([deadline, file.signal]),
      headers: {
        'user-agent': 'galley-emulator',
        ...(file.authorization === null ? {} : { authorization: file.authorization }),
      },
    })
    if (response.statusCode !== 200) {
      await response.body.dump()
      return fail(`the site returned HTTP status ${response.statusCode}`)
    }
    for await (const chunk of response.body) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('undici gives bodies as buffers')
      const refused = file.take(chunk)
      if (refused !== null) return fail(refused)
    }
    return ok(null)
  } catch (problem) {
    if (deadline.aborted || file.signal.aborted) return fail('the site did not send it in time')
    if (problem instanceof errors.InvalidArgumentError)
      return fail('the webhook_auth_* values cannot be sent in a header')
    if (problem instanceof Error && 'code' in problem)
      return fail(`the site could not be reached (${typeof problem.code === 'string' ? problem.code : problem.name})`)
    throw problem
  }
}

export function createRestoring({ store, dispatcher, closing, onProblem }: RestoringPorts): Restoring {
  const { contents, restoredFiles } = store
  const running = new Map<string, Promise<void>>()

  async function fetchAll({ sessionId, metadata }: Session, files: readonly WantedFile[]): Promise<void> {
    const authorization = authorizationOf(parseJsonObject(metadata) ?? {})
    const signal = AbortSignal.any([closing, AbortSignal.timeout(wholeTimeoutMs)])
    let wholeBytes = 0

    async function fetchOne({ name, url }: WantedFile): Promise<void> {
      const contentId = contents.begin()
      let sizeBytes = 0
      const take = (bytes: Buffer): string | null => {
        sizeBytes += bytes.length
        wholeBytes += bytes.length
        if (sizeBytes > fileLimitBytes) return 'it is larger than 64 MiB'
        if (wholeBytes > wholeLimitBytes) return 'the files of this page are larger than 256 MiB together'
        contents.append(contentId, bytes)
        return null
      }
      const fetched = await fetchFile({ url, authorization, dispatcher, signal, take })
      if (fetched.ok && restoredFiles.markFetched(sessionId, name, contentId)) return
      contents.remove(contentId)
      if (!fetched.ok && !closing.aborted) restoredFiles.markLost(sessionId, name, fetched.failure)
    }

    const waiting = files.values()
    const fetchNext = async (): Promise<void> => {
      for (const file of waiting) await fetchOne(file)
    }
    await Promise.all(Array.from({ length: parallelFetches }, fetchNext))
  }

  return {
    begin({ session, isNew }, site) {
      const { sessionId, state } = session
      if (isNew) {
        const wanted = wantedFiles(state).map((file) => ({
          ...file,
          reason: refusedFor(file.url, site) ?? notFetchedYet,
        }))
        restoredFiles.addWanted(sessionId, wanted)
      }
      const missing = (restoredFiles.lost(sessionId) ?? []).filter(({ url }) => refusedFor(url, site) === null)
      if (missing.length === 0 || running.has(sessionId)) return
      const work = fetchAll(session, missing)
        .catch(onProblem)
        .finally(() => running.delete(sessionId))
      running.set(sessionId, work)
    },
    async ended(sessionId, atMostMs = wholeTimeoutMs) {
      const work = running.get(sessionId)
      if (work !== undefined) await Promise.race([work, wait(atMostMs, closing)])
    },
    async allEnded() {
      await Promise.all(running.values())
    },
  }
}

/** The files of a state that the site passed. */
const wantedFiles = (state: string): readonly WantedFile[] =>
  assetEntries(parseJsonObject(state)).map(([name, entry]) => ({ name, url: clientUrlOf(entry) }))

/** Why a URL is not fetched, or null. Requests carry the site's credentials, so only its own hosts are allowed. */
function refusedFor(url: string, site: ServiceSite): string | null {
  if (isUnresolved(url)) return 'it has no public address'
  if (!URL.canParse(url)) return 'its address is not complete'
  const { protocol, hostname, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return 'its address is not an http or https address'
  if (username !== '' || password !== '') return 'its address contains a user name'
  return isAllowedHost(site, hostname) ? null : `the host ${hostname} is not allowed for this site`
}
