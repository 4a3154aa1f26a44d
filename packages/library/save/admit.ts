import type { IncomingHttpHeaders } from 'node:http'
import type { CallbackBody, CallbackFailure, CallbackHead } from '@galley/wire'
import { claimedKind, parseContentUrl } from '@galley/wire'

import type { Arrival } from '../db/callback/callbacks.ts'
import type { IndexReads } from '../db/library-index.ts'
import type { Site } from '../records/site.ts'
import { traceOf } from '../secrets/signature-trace.ts'
import { isAuthorized, isSigned, otherSignedHeader } from '../secrets/signature.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'
import type { ShownHeader } from '../views/callbacks.ts'
import type { BodyReader } from './body-reader.ts'

/** Headers whose values are neither personal nor credentials. */
const harmless = new Set(
  'host,content-type,content-length,content-encoding,transfer-encoding,user-agent,accept,accept-encoding,connection,date,x-request-id,traceparent'.split(
    ',',
  ),
)
/** Enough to recognize the sender of a request, not enough to fill a disk. */
const namesAtMost = 40
const charsAtMost = 200

/** The headers for the log: all names, and the values of harmless ones. */
const shownHeaders = (headers: IncomingHttpHeaders): readonly ShownHeader[] =>
  Object.entries(headers)
    .slice(0, namesAtMost)
    .map(([name, value]) => ({
      name: name.slice(0, charsAtMost),
      value: harmless.has(name) ? String(value).slice(0, charsAtMost) : null,
    }))

/** A callback as received over HTTP: the body is complete but untrusted. */
export interface IncomingDelivery {
  readonly site: Site
  readonly signature: string | undefined
  readonly authorization: string | undefined
  readonly body: Uint8Array
  readonly headers: IncomingHttpHeaders
  /** Called as soon as the signature is verified. */
  readonly onSigned?: () => void
}

/** The data of a callback that may be logged, from any sender. */
export type LogEntry = Partial<Omit<Arrival, 'id' | 'site' | 'receivedAt'>>

/** Whether a delivery is authentic, and its content. */
export type Admission =
  | { readonly kind: 'refused'; readonly failure: CallbackFailure; readonly entry: LogEntry }
  | { readonly kind: 'signed'; readonly body: CallbackBody; readonly secret: string; readonly entry: LogEntry }

/** Unsigned texts can come from anyone: keeps enough to recognize them, but not enough to fill a disk. */
const unsignedMaxChars = 500

/**
 * Authenticates a delivery in the order of docs/api.md, section 3: credentials before the body is read, then JSON, then the
 * signature over two of its members. The rest of the body is read only after the signature is verified.
 */
export async function admit(secrets: SiteSecrets, bodies: BodyReader, delivery: IncomingDelivery): Promise<Admission> {
  const { site, signature, authorization } = delivery
  const state = signatureOf(signature)
  const request: LogEntry = { headers: shownHeaders(delivery.headers), bodyBytes: delivery.body.length }
  const refused = (failure: CallbackFailure, head?: CallbackHead): Admission => ({
    kind: 'refused',
    failure,
    entry: {
      ...request,
      signature: state === 'unchecked' && failure.kind === 'invalid_signature' ? 'invalid' : state,
      ...(signature?.trim() && { trace: traceOf(signature) }),
      ...(head && claims(head, unsignedMaxChars)),
    },
  })

  const credentials = await secrets.callbackAuth(site)
  if (!credentials.ok) return refused({ kind: 'secrets_unavailable', state: credentials.failure })
  if (credentials.value && !isAuthorized(authorization, credentials.value)) return refused({ kind: 'unauthorized' })

  const read = await bodies.head(delivery.body)
  if (!read.ok) return refused(read.failure)
  const head = read.value

  const secret = await secrets.secret(site.id)
  if (!secret.ok) return refused({ kind: 'secrets_unavailable', state: secret.failure }, head)
  if (!isSigned(head.signed.materialId, head.signed.contentUrl, signature, secret.value)) {
    const signed = { materialId: head.signed.materialId, url: head.signed.contentUrl, secret: secret.value }
    const signedIn = otherSignedHeader(signed, delivery.headers, site.signatureHeader)
    const header = state === 'missing' ? 'missing' : 'wrong'
    return refused({ kind: 'invalid_signature', header, ...(signedIn !== null && { signedIn }) }, head)
  }
  const signed: LogEntry = { ...request, signature: 'valid' }
  const whole = await bodies.whole(delivery.body)
  if (!whole.ok) return { kind: 'refused', failure: whole.failure, entry: { ...signed, ...claims(head, Infinity) } }
  const { body, payload } = whole.value
  const entry: LogEntry = { ...signed, ...claims(body, Infinity), payload }
  return { kind: 'signed', body, secret: secret.value, entry }
}

/** The log's value for a signature that was not checked. */
export const signatureOf = (header: string | undefined): 'unchecked' | 'missing' =>
  header?.trim() ? 'unchecked' : 'missing'

/** The data of a body that may be logged. */
const claims = (body: CallbackHead, maxChars: number): LogEntry => ({
  kind: claimedKind(body),
  materialId: body.materialId?.slice(0, maxChars) ?? null,
  contentUrl: body.contentUrl?.slice(0, maxChars) ?? null,
})

/**
 * Whether a callback without a valid signature looks like a save that the service signed with another secret, or in another
 * header: it has a signature, and names a known material with a live session and a download at the site's own service.
 */
function looksLikeSave(
  index: Pick<IndexReads, 'materials'>,
  site: Site,
  failure: CallbackFailure,
  { kind, materialId, contentUrl, trace }: LogEntry,
  nowMs: number,
): boolean {
  if (failure.kind !== 'invalid_signature' || kind === 'site_fonts_updated' || !materialId || !contentUrl) return false
  if (trace?.form.isHex !== true && failure.signedIn === undefined) return false
  if (parseContentUrl(contentUrl, site) === null) return false
  const session = index.materials.find(site.id, materialId)?.session ?? null
  return session !== null && Date.parse(session.keptUntil) > nowMs
}

/** Marks refused callbacks that look like saves, and writes a signature in another header to the log, once for each header. */
export function createNoteSuspect({
  index,
  now,
  log,
}: {
  readonly index: Pick<IndexReads, 'materials'>
  readonly now: () => Date
  readonly log: (line: string) => void
}) {
  const noted = new Set<string>()
  return (site: Site, failure: CallbackFailure, entry: LogEntry): LogEntry => {
    if (failure.kind === 'invalid_signature' && failure.signedIn !== undefined) {
      const { signedIn } = failure
      const isNew = !noted.has(`${site.id} ${signedIn}`)
      noted.add(`${site.id} ${signedIn}`)
      if (isNew)
        log(`a callback of site ${site.id} is signed in the header ${signedIn}, not in ${site.signatureHeader}`)
    }
    return looksLikeSave(index, site, failure, entry, now().getTime()) ? { ...entry, isSuspect: true } : entry
  }
}
