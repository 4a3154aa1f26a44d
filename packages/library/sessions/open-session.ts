import { bytesUpTo, hostCause, httpClient, storageCause, unsharedConnections } from '@galley/platform'
import type { Network } from '@galley/platform'
import type { CauseCode, MaterialId, OpenFailure, Result, Session, SiteId } from '@galley/wire'
import {
  cause,
  fail,
  nameLimitChars,
  ok,
  openRequestBody,
  readOpenAnswer,
  readsAsDownload,
  sessionMetadata,
  isCredentialKey,
  objectAt,
  rootOf,
  stringText,
} from '@galley/wire'
import type { Agent } from 'undici'

import type { IndexWith } from '../db/library-index.ts'
import { reviewMetadata } from '../records/metadata-review.ts'
import type { Site } from '../records/site.ts'
import { proofOf } from '../secrets/signature-trace.ts'
import { sign } from '../secrets/signature.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'
import type { Vault } from '../vault/vault.ts'
import type { OpenPreview } from '../views/editor.ts'

/** The session to open. `metadata` is the caller's JSON text; null sends the previous one again. */
export interface OpenRequest {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly title: string | null
  readonly slug: string | null
  readonly metadata: string | null
}

/** A session, and whether it is the same as before. */
export interface OpenedSession extends Session {
  readonly reused: boolean
  /** `webhook_auth_*` of the caller that were not sent, because the site has its own callback credentials. */
  readonly replaced: readonly string[]
}

/** A session/open response has a few hundred bytes; a much larger one is invalid. */
const answerLimitBytes = 1024 * 1024

/** The parts of a library that opening a session needs. */
interface SessionPorts {
  readonly index: IndexWith<'commit' | 'materials' | 'secretMarks'>
  readonly vault: Vault
  readonly network: Network
  readonly secrets: SiteSecrets
  /** Galley signs nothing for a site that is not confirmed on this computer. */
  readonly confirmations: { isConfirmed(site: Site): boolean }
  readonly clientLabel: string
  readonly now: () => Date
}

/** The request that opening a material would send, without sending it. A material that was never opened counts as new. */
async function previewOpen(
  { index, secrets, confirmations, clientLabel }: SessionPorts,
  site: Site,
  materialId: MaterialId,
): Promise<OpenPreview> {
  const material = index.materials.find(site.id, materialId)
  const current = material?.currentVersionId ?? null
  const version = current === null ? null : index.versions.find(site.id, materialId, current)
  const state = index.versions.currentParts(site.id, materialId)
  const sent = index.materials.sentAtOpen(site.id, materialId)
  const metadata = sent?.metadata ?? '{}'
  const [secret, credentials] = await Promise.all([secrets.secret(site.id), secrets.callbackAuth(site)])
  const whole = sessionMetadata(metadata, clientLabel, credentials.ok ? credentials.value : null)
  return {
    state: version &&
      state && {
        versionId: version.versionId,
        savedAt: version.receivedAt,
        sizeBytes: index.blobs.find(state.state)?.sizeBytes ?? 0,
      },
    metadata,
    lastSent: sent?.metadata ?? null,
    review: reviewMetadata(metadata, sent?.metadata ?? null),
    added: whole.ok ? addedMembers(metadata, whole.value.text) : [],
    session: material?.session ?? null,
    baseUrl: site.baseUrl,
    callbackUrl: site.callbackUrl,
    isConfirmed: confirmations.isConfirmed(site),
    callbackUrlChanged: sent?.callbackUrl != null && sent.callbackUrl !== site.callbackUrl,
    lacksSecrets: !secret.ok ? secret.failure : credentials.ok ? null : credentials.failure,
  }
}

/** The members that Galley adds to the caller's text. The values of credentials are hidden. */
function addedMembers(callers: string, whole: string): OpenPreview['added'] {
  const keysOf = (text: string): ReadonlySet<string> =>
    new Set(objectAt(text, rootOf(text)).members.map(({ key }) => stringText(text, key)))
  const own = keysOf(callers)
  return objectAt(whole, rootOf(whole)).members.flatMap(({ key, value }) => {
    const name = stringText(whole, key)
    if (own.has(name)) return []
    return [{ key: name, value: isCredentialKey(name) ? null : stringText(whole, value) }]
  })
}

/** Opens editing sessions at the service (contract, POST /integration/session/open). */
export function createSessions(ports: SessionPorts) {
  const { index, vault, secrets, confirmations, clientLabel, now } = ports
  const agents = ports.network.agents(unsharedConnections)

  /** The stored state of the current version to send to the service, or null if there is none. */
  async function storedState(site: SiteId, materialId: MaterialId): Promise<Result<string | null, OpenFailure>> {
    const current = index.versions.currentParts(site, materialId)
    const slice = current && index.blobs.find(current.state)
    if (!slice) return ok(null)
    try {
      return ok((await vault.readWhole(current.state, slice)).toString('utf8'))
    } catch (error) {
      const { code } = storageCause(error)
      if (code === 'file_altered' || code === 'file_missing') return fail({ code: 'state_unreadable' })
      throw error
    }
  }

  async function open(request: OpenRequest): Promise<Result<OpenedSession, OpenFailure>> {
    const site = index.sites.find(request.site)
    if (!site) return fail({ code: 'unknown_site', site: request.site })
    if (!confirmations.isConfirmed(site)) return fail({ code: 'site_unconfirmed', site: site.id })
    const materialId = request.materialId
    if (materialId.length > nameLimitChars) return fail({ code: 'invalid_material', state: 'long' })
    if (!materialId.isWellFormed()) return fail({ code: 'invalid_material', state: 'surrogate' })
    if (readsAsDownload(materialId, site)) return fail({ code: 'invalid_material' })
    const holder = index.materials.slugTaken(site.id, materialId, request.slug)
    if (holder !== null) return fail({ code: 'address_taken', ...holder })
    const secret = await secrets.secret(site.id)
    if (!secret.ok) return fail({ code: 'secrets_unavailable', state: secret.failure })
    const credentials = await secrets.callbackAuth(site)
    if (!credentials.ok) return fail({ code: 'secrets_unavailable', state: credentials.failure })

    const callerMetadata = request.metadata ?? index.materials.sentAtOpen(site.id, materialId)?.metadata ?? null
    const metadata = sessionMetadata(callerMetadata, clientLabel, credentials.value)
    if (!metadata.ok) return fail({ code: 'invalid_metadata', problem: metadata.failure.problem })

    const state = await storedState(site.id, materialId)
    if (!state.ok) return state
    const body = openRequestBody({
      apiKey: site.apiKey,
      callbackUrl: site.callbackUrl,
      materialId,
      state: state.value,
      metadata: metadata.value.text,
    })
    const signature = sign(materialId, site.callbackUrl, secret.value)
    const answer = await post(site, body, signature, await agents.for(site, new URL(site.baseUrl).hostname))
    if (!answer.ok) return answer
    // A service may quote the request that it refuses.
    const { user, password } = credentials.value ?? {}
    const hidden = [secret.value, site.apiKey, signature, password ?? user ?? '', ...metadata.value.secrets]
    const session = readOpenAnswer(answer.value.status, answer.value.text, hidden)
    if (session.ok || session.failure.code === 'wrong_key')
      index.secretMarks.noteTried(site.id, proofOf(site, secret.value), session.ok)
    if (!session.ok) return session

    const before = index.materials.find(site.id, materialId)
    const opened = {
      ...session.value,
      site: site.id,
      materialId,
      // A title of spaces alone would be a row without a name.
      title: request.title?.trim() || null,
      slug: request.slug,
      at: now().toISOString(),
      sentMetadata: metadata.value.kept,
      callbackUrl: site.callbackUrl,
    }
    await index.commit.write(() => index.materials.recordOpen(opened))
    const { sessionId } = session.value
    return ok({
      ...session.value,
      reused: sessionId !== '' && before?.session?.sessionId === sessionId,
      replaced: metadata.value.replaced,
    })
  }

  return {
    open,
    preview: (site: Site, materialId: MaterialId) => previewOpen(ports, site, materialId),
    close: agents.destroy,
  }
}

const unreachableStates: Partial<Record<CauseCode, 'cut' | 'unreadable' | 'private'>> = {
  connection_cut: 'cut',
  host_unreadable: 'unreadable',
  host_private: 'private',
}

async function post(
  site: Site,
  body: string,
  signature: string,
  dispatcher: Agent,
): Promise<Result<{ status: number; text: string }, OpenFailure>> {
  const deadline = AbortSignal.timeout(site.requestTimeoutMs)
  try {
    const { request } = await httpClient()
    const answer = await request(`${site.baseUrl}/session/open`, {
      dispatcher,
      method: 'POST',
      signal: deadline,
      headers: { 'content-type': 'application/json', [site.signatureHeader]: signature },
      body,
      // Only the deadline applies: undici's own limit would abort after five minutes with a different error.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const bytes = await bytesUpTo(answerLimitBytes, answer.body)
    if (bytes === null) return fail({ code: 'invalid_service_answer', problem: cause('answer_too_long') })
    return ok({ status: answer.statusCode, text: bytes.toString('utf8') })
  } catch (error) {
    if (deadline.aborted) return fail({ code: 'service_timeout', seconds: Math.round(site.requestTimeoutMs / 1000) })
    const reason = hostCause(error)
    const state = unreachableStates[reason.code]
    return fail({ code: 'service_unreachable', reason, ...(state && { state }) })
  }
}

export type Sessions = ReturnType<typeof createSessions>
