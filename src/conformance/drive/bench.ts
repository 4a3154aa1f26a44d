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

/** How a prepared callback is sent; everything has the right default. */
export interface Manner {
  /** Values of the signature header; null leaves it out. */
  readonly signature?: string | readonly string[] | null
  /** Value of the Authorization header; null leaves it out. */
  readonly authorization?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** In place of the JSON of the payload. */
  readonly body?: Sending['body']
  readonly method?: string
  readonly timeoutMs?: number
  /** Ends the connection from our side. */
  readonly signal?: AbortSignal
}

/** A callback and what was answered to it. */
export interface Delivered extends Prepared {
  readonly answer: Answer
  /** Whether the callback URL is public: then the URLs of the answer have to be too. */
  readonly isPublicSite: boolean
}

/** What the whole run shares. */
export interface Run extends Desk {
  readonly callbackUrl: URL
  readonly apiKey: string
  readonly signatureHeader: string
  /** The right Authorization header, when the backend asks for one. */
  readonly authorization: string | null
  readonly materials: readonly string[]
  readonly pageTemplate: string | null
  /** An origin that is not the service's, with a server that should never be asked. */
  readonly elsewhere: { readonly origin: string; readonly server: ArchiveServer }
  readonly transcript: Transcript
  readonly fetchPublic: (url: string, headers: Readonly<Record<string, string>>) => Promise<Fetched>
  /** Cases that found a fault, or that were skipped over one: id to the id of the failed case that is behind it. */
  readonly causes: Map<string, string>
  /** Where names in archives lead that climb out of every folder, and whether a backend there would be seen. */
  readonly planted: { readonly folder: string; readonly isVisible: boolean }
  readonly signal: AbortSignal
}

/** How long an ordinary callback may take; the backend may try a failed download again. */
const answerTimeoutMs = 30_000

/** What one case works with: one material of the backend, for itself alone as long as it runs. */
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
    /** What the report should say of this case besides its verdict. */
    notes,
    note: (text: string): void => void notes.push(text),
    deliver,
    /** The right signature over these two. */
    sign: (materialId: string, url: string) => signatureOf(run.secret, materialId, url),
    prepareSave: (parts: SaveParts = {}) => prepareSave(run, material, parts),
    prepareFonts: (parts: FontsParts = {}) => prepareFonts(run, material, parts),
    save: (parts: SaveParts = {}, manner: Manner = {}) => deliver(prepareSave(run, material, parts), manner),
    fonts: (parts: FontsParts = {}, manner: Manner = {}) => deliver(prepareFonts(run, material, parts), manner),
    /** Fetches a public URL the way the service does: with the Authorization the backend asked for. */
    get: (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Fetched> =>
      run.fetchPublic(url, { ...(run.authorization !== null && { authorization: run.authorization }), ...headers }),
  }
}

export type Bench = ReturnType<typeof createBench>
