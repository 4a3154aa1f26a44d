import { createHash } from 'node:crypto'
import type { FileSlice, Network } from '@galley/platform'
import {
  ConnectionError,
  certificateCause,
  forEachConcurrently,
  httpClient,
  isSystemError,
  namesInnerHost,
  networkFault,
  privateAddressCode,
  storageCause,
  systemCode,
} from '@galley/platform'
import type { CredentialsState, MaterialId, Result, Sha256 } from '@galley/wire'
import { clientUrls, fail, ok, readMediaUrl } from '@galley/wire'
import type { Agent } from 'undici'

import type { IndexReads } from '../db/library-index.ts'
import { isPublicService } from '../records/site-reach.ts'
import type { Site } from '../records/site.ts'
import { authorizationHeader } from '../secrets/signature.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'
import type { Vault } from '../vault/vault.ts'

const fetchesAtOnce = 8

/** A file that a session restore could not load. */
export interface LostAsset {
  readonly materialId: MaterialId
  readonly asset: string
  readonly url: string
  /** null if there was no complete response. */
  readonly status: number | null
  /** The code of the problem; null if the status describes it. */
  readonly problem: string | null
}

export interface Rehearsal {
  readonly checked: number
  readonly lost: readonly LostAsset[]
}

interface Ports {
  readonly index: IndexReads
  readonly vault: Vault
  readonly secrets: SiteSecrets
  readonly network: Network
  readonly confirmations: { isConfirmed(site: Site): boolean }
}

/**
 * Fetches every file in the states of current versions like the service does when it restores a session: with the site's
 * `Authorization`, completely, and without following redirects (contract, Authentication 5). A save may name any address in
 * its state, so only the origin of the callback URL gets the `Authorization`, and a public service fetches public addresses.
 */
export async function rehearse(
  { index, vault, secrets, network, confirmations }: Ports,
  site: Site,
  signal: AbortSignal,
): Promise<Result<Rehearsal, CredentialsState | 'site_unconfirmed'>> {
  // The addresses of the site come from the library, which may come from elsewhere, and they get the credentials.
  if (!confirmations.isConfirmed(site)) return fail('site_unconfirmed')
  const credentials = await secrets.callbackAuth(site)
  if (!credentials.ok) return fail(credentials.failure)
  const authorization = credentials.value === null ? null : authorizationHeader(credentials.value)
  const takesCredentials = isOwnOrigin(site)

  const assets: Pick<LostAsset, 'materialId' | 'asset' | 'url'>[] = []
  const unread: LostAsset[] = []
  for (const { materialId } of index.materials.listByArrival(site.id)) {
    signal.throwIfAborted()
    const state = index.versions.currentParts(site.id, materialId)?.state
    const slice = state && index.blobs.find(state)
    if (!slice) continue
    const text = await textOf(vault, state, slice)
    if (text === null) unread.push({ materialId, asset: 'vms_json.json', url: '', ...noState })
    else for (const [asset, url] of clientUrls(text)) assets.push({ materialId, asset, url })
  }

  const isPublic = site.environment === 'prod' && isPublicService(site.baseUrl)
  const agents = network.agents({ keepAliveTimeout: 1_000, connectMs: site.downloadTimeoutMs })
  const found = new Map<string, Pick<LostAsset, 'status' | 'problem'> | null>()
  try {
    await forEachConcurrently(new Set(assets.map(({ url }) => url)), fetchesAtOnce, signal, async (url) => {
      if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
        found.set(url, { status: null, problem: 'not_an_address' })
        return
      }
      const { hostname } = new URL(url)
      if (isPublic && namesInnerHost(hostname)) {
        found.set(url, { status: null, problem: privateAddressCode })
        return
      }
      const agent = await agents.for(site, hostname)
      const given = takesCredentials(url) ? authorization : null
      found.set(url, await problemOf(url, { agent, authorization: given, timeoutMs: site.downloadTimeoutMs, signal }))
    })
  } finally {
    await agents.destroy()
  }
  const lost = assets.flatMap((asset) => {
    const problem = found.get(asset.url) ?? null
    return problem === null ? [] : [{ ...asset, ...problem }]
  })
  return ok({ checked: assets.length + unread.length, lost: [...unread, ...lost] })
}

/** Whether an address may get the site's `Authorization`: it is at the origin of the callback URL, and encrypted. */
export const isOwnOrigin =
  ({ callbackUrl }: Pick<Site, 'callbackUrl'>) =>
  (url: string): boolean =>
    new URL(url).protocol === 'https:' && new URL(url).origin === new URL(callbackUrl).origin

/** Without its state, a session opens empty. */
const noState = { status: null, problem: 'state_unreadable' }

/** The text of a stored state; null if it cannot be read, or is not what was stored. */
async function textOf(vault: Vault, state: Sha256, slice: FileSlice): Promise<string | null> {
  try {
    return (await vault.readWhole(state, slice)).toString('utf8')
  } catch (error) {
    if (isSystemError(error) || storageCause(error).code === 'file_altered') return null
    throw error
  }
}

interface Fetch {
  readonly agent: Agent
  readonly authorization: string | null
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * Fetches a file completely and discards it; null on success. `different`: the address names the content by its hash, and
 * something else came, such as a page that says that the file is missing.
 */
async function problemOf(
  url: string,
  { agent, authorization, timeoutMs, signal }: Fetch,
): Promise<Pick<LostAsset, 'status' | 'problem'> | null> {
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const { request } = await httpClient()
    const { statusCode, body } = await request(url, {
      dispatcher: agent,
      signal: AbortSignal.any([signal, deadline]),
      headers: authorization === null ? {} : { authorization },
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    if (statusCode !== 200) {
      body.on('error', () => undefined).destroy()
      return { status: statusCode, problem: null }
    }
    const hash = createHash('sha256')
    for await (const chunk of body) hash.update(chunk as Buffer)
    const hashStart = readMediaUrl(url)?.hashStart
    const isOther = hashStart !== undefined && !hash.digest('hex').startsWith(hashStart)
    return isOther ? { status: statusCode, problem: 'different' } : null
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Error)) throw error
    if (deadline.aborted) return { status: null, problem: 'timeout' }
    if (error instanceof ConnectionError) return { status: null, problem: error.reason.code }
    if (networkFault(error) === 'certificate') return { status: null, problem: certificateCause(error).code }
    return { status: null, problem: systemCode(error) || error.name }
  }
}
