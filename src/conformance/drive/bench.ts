import { isAccepted } from '../protocol/answer.ts'
import { isInternalHost } from '../protocol/hosts.ts'
import type { ArchiveServer } from '../service/archive-server.ts'
import type { Sending } from './callback-client.ts'
import type { Answer } from '../protocol/answer.ts'
import { sendTo } from './callback-client.ts'
import type { Desk, FontsParts, Prepared, SaveParts } from './prepare.ts'
import { prepareFonts, prepareSave } from './prepare.ts'
import type { Fetched } from './public-file.ts'
import { signatureOf } from '../protocol/signature.ts'
import type { Transcript } from './transcript.ts'

/** Overrides for sending a prepared callback; all defaults are valid. */
export interface Manner {
  /** Values of the signature header; null omits it. */
  readonly signature?: string | readonly string[] | null
  /** Value of the Authorization header; null omits it. */
  readonly authorization?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the JSON of the payload. */
  readonly body?: Sending['body']
  readonly method?: string
  readonly timeoutMs?: number
  /** Closes the connection from the kit's side. */
  readonly signal?: AbortSignal
}

/** A callback and its answer. */
export interface Delivered extends Prepared {
  readonly answer: Answer
  /** Whether the callback URL is public; then the answered URLs must be too. */
  readonly isPublicSite: boolean
}

/** State shared by the whole run. */
export interface Run extends Desk {
  readonly callbackUrl: URL
  readonly apiKey: string
  readonly signatureHeader: string
  /** The valid Authorization header, if the backend asks for one. */
  readonly authorization: string | null
  readonly materials: readonly string[]
  readonly pageTemplate: string | null
  /** A foreign origin, with a server that must never be contacted. */
  readonly elsewhere: { readonly origin: string; readonly server: ArchiveServer }
  readonly transcript: Transcript
  readonly fetchPublic: (url: string, headers: Readonly<Record<string, string>>) => Promise<Fetched>
  /** Failed and skipped cases, mapped to the id of the failed case that caused the result. */
  readonly causes: Map<string, string>
  /**
   * Target folder of file names that escape their folder, and whether the kit can see files the backend writes there.
   */
  readonly planted: { readonly folder: string; readonly isVisible: boolean }
  readonly signal: AbortSignal
}

/** Timeout for an ordinary callback; the backend may retry a failed download. */
const answerTimeoutMs = 30_000

/** Creates the tools of one case. The case has its material to itself while it runs. */
export function createBench(run: Run, material: string) {
  const send = async (sending: Partial<Sending>): Promise<Answer> => {
    const answer = await sendTo(run.callbackUrl, {
      headers: {},
      body: '',
      timeoutMs: answerTimeoutMs,
      signal: run.signal,
      ...sending,
    })
    run.transcript.answered(answer)
    return answer
  }

  async function deliver(prepared: Prepared, manner: Manner = {}): Promise<Delivered> {
    const { signature = prepared.signature, authorization = run.authorization } = manner
    const answer = await send({
      ...(manner.signal && { signal: AbortSignal.any([run.signal, manner.signal]) }),
      ...(manner.method !== undefined && { method: manner.method }),
      ...(manner.timeoutMs !== undefined && { timeoutMs: manner.timeoutMs }),
      headers: {
        'content-type': 'application/json',
        ...(signature !== null && { [run.signatureHeader]: signature }),
        ...(authorization !== null && { authorization }),
        ...manner.headers,
      },
      body: manner.body ?? JSON.stringify(prepared.payload),
    })
    if (isAccepted(answer)) run.transcript.stored(prepared)
    return { ...prepared, answer, isPublicSite: !isInternalHost(run.callbackUrl.hostname) }
  }

  const notes: string[] = []
  return {
    run,
    material,
    /** Additional notes for the report of this case. */
    notes,
    note: (text: string): void => void notes.push(text),
    deliver,
    /** The valid signature for a material and URL. */
    sign: (materialId: string, url: string) => signatureOf(run.secret, materialId, url),
    prepareSave: (parts: SaveParts = {}) => prepareSave(run, material, parts),
    prepareFonts: (parts: FontsParts = {}) => prepareFonts(run, material, parts),
    save: (parts: SaveParts = {}, manner: Manner = {}) => deliver(prepareSave(run, material, parts), manner),
    fonts: (parts: FontsParts = {}, manner: Manner = {}) => deliver(prepareFonts(run, material, parts), manner),
    /** Fetches a public URL like the service does, with the Authorization the backend asked for. */
    get: (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Fetched> =>
      run.fetchPublic(url, { ...(run.authorization !== null && { authorization: run.authorization }), ...headers }),
  }
}

export type Bench = ReturnType<typeof createBench>
