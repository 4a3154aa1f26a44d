import { saysAccepted } from '../protocol/answer.ts'
import type { Answer } from '../protocol/answer.ts'
import type { Credentials } from '../protocol/credentials.ts'
import type { createHostJudge } from '../protocol/hosts.ts'
import { signatureOf } from '../protocol/signature.ts'
import type { ArchiveServer } from '../service/archive-server.ts'
import type { RequestSpec } from './callback-client.ts'
import { sendTo } from './callback-client.ts'
import type { DeliveryContext, FontsParts, PreparedCallback, SaveParts } from './prepare.ts'
import { prepareFonts, prepareSave } from './prepare.ts'
import type { FetchResult } from './public-file.ts'
import type { Transcript } from './transcript.ts'

/** Overrides for sending a prepared callback; every default is valid. */
export interface SendOptions {
  /** Values of the signature header; null omits it. */
  readonly signature?: string | readonly string[] | null
  /** Value of the Authorization header; null omits it. */
  readonly authorization?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the JSON of the payload. */
  readonly body?: RequestSpec['body']
  readonly method?: string
  readonly timeoutMs?: number
  /** Closes the connection from the kit's side. */
  readonly signal?: AbortSignal
}

/** A callback and its answer. */
export interface Delivered extends PreparedCallback {
  readonly answer: Answer
  /** The answered hosts that are not public. Empty when the callback URL is not public either: then they may be private. */
  readonly unreachableHosts: ReadonlySet<string>
}

/** State shared by the whole run. */
export interface Run extends DeliveryContext {
  readonly callbackUrl: URL
  readonly apiKey: string
  readonly signatureHeader: string
  /** The credentials given for the run, or null. */
  readonly auth: Credentials | null
  readonly materials: readonly string[]
  readonly pageTemplate: string | null
  /** A foreign origin of this machine, with a server that must never be contacted, and whether the backend can reach it. */
  readonly foreignOrigin: { readonly origin: string; readonly server: ArchiveServer; readonly isReachable: boolean }
  readonly transcript: Transcript
  readonly fetchPublic: (url: string, headers: Readonly<Record<string, string>>) => Promise<FetchResult>
  /** Failed and skipped cases, mapped to the id of the failed case that caused the result. */
  readonly causes: Map<string, string>
  /**
   * Target folder of file names that escape their folder, and whether the kit can see files the backend writes there.
   */
  readonly planted: { readonly folder: string; readonly isVisible: boolean }
  readonly hosts: ReturnType<typeof createHostJudge>
  readonly signal: AbortSignal
}

/** The time limit for a typical callback. The backend may retry a failed download. */
const answerTimeoutMs = 30_000

/** Creates the tools of one case. No other case uses its material meanwhile. */
export function createBench(run: Run, material: string) {
  // A material that only a case names has no session: the backend knows that of the case's own.
  const session = (of = material) => run.sessionOf(of, material)
  const send = async (spec: Partial<RequestSpec>): Promise<Answer> => {
    const answer = await sendTo(run.callbackUrl, {
      headers: {},
      body: '',
      timeoutMs: answerTimeoutMs,
      signal: run.signal,
      ...spec,
    })
    run.transcript.answered(answer)
    return answer
  }

  async function deliver(prepared: PreparedCallback, options: SendOptions = {}): Promise<Delivered> {
    const { signature = prepared.signature, authorization = session(prepared.material).authorization } = options
    const answer = await send({
      ...(options.signal && { signal: AbortSignal.any([run.signal, options.signal]) }),
      ...(options.method !== undefined && { method: options.method }),
      ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
      headers: {
        'content-type': 'application/json',
        ...(signature !== null && { [run.signatureHeader]: signature }),
        ...(authorization !== null && { authorization }),
        ...options.headers,
      },
      body: options.body ?? JSON.stringify(prepared.payload),
    })
    // Whatever its HTTP status is, a backend that answers rc 1 has probably stored the data.
    if (saysAccepted(answer)) run.transcript.stored(prepared, answer)
    const isPublicSite = !(await run.hosts.isInternal(run.callbackUrl.hostname))
    const unreachableHosts = await run.hosts.internalIn(isPublicSite && answer.kind === 'answer' ? answer.text : '')
    return { ...prepared, answer, unreachableHosts }
  }

  const notes: string[] = []
  return {
    run,
    material,
    session,
    /** Additional notes for the report of this case. */
    notes,
    note: (text: string): void => void notes.push(text),
    deliver,
    /** The valid signature for a material and URL. */
    sign: (materialId: string, url: string) => signatureOf(run.secret, materialId, url),
    prepareSave: (parts: SaveParts = {}) => prepareSave(run, material, parts),
    prepareFonts: (parts: FontsParts = {}) => prepareFonts(run, material, parts),
    save: (parts: SaveParts = {}, options: SendOptions = {}) => deliver(prepareSave(run, material, parts), options),
    fonts: (parts: FontsParts = {}, options: SendOptions = {}) => deliver(prepareFonts(run, material, parts), options),
    /** Fetches a public URL like the service does, with the Authorization the backend asked for. */
    async get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<FetchResult> {
      const { authorization } = session()
      const fetchOnce = () => run.fetchPublic(url, { ...(authorization !== null && { authorization }), ...headers })
      const fetched = await fetchOnce()
      if (fetched.kind !== 'unreachable' || !fetched.isCut) return fetched
      // Most cases rest on the first files: one connection that was cut must not cost them all.
      notes.push(`${url} was fetched again: ${fetched.why}`)
      return fetchOnce()
    },
  }
}

export type Bench = ReturnType<typeof createBench>
