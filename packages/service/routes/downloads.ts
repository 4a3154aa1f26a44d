import type { Addresses } from '../http/addresses.ts'
import { originOf } from '../http/addresses.ts'
import type { Incoming, Reply } from '../http/exchange.ts'
import { refusal } from '../http/exchange.ts'
import type { Route } from '../http/router.ts'
import { refuseUnsigned, siteOfKey } from '../sites/admission.ts'
import type { ServiceSites } from '../sites/service-site.ts'
import type { StoredBytes } from '../store/contents.ts'
import type { Store } from '../store/open-store.ts'
import type { SnapshotOwner } from '../store/snapshots.ts'
import { storedReply } from './stored-reply.ts'

interface DownloadPorts {
  readonly sites: ServiceSites
  readonly store: Store
  readonly addresses: Addresses
}

const notFound = (what: string): Reply => refusal(404, 'not_found', `There is no such ${what}.`)

/**
 * Both downloads (contract, Endpoints): `api_key` and `material_id` in the query, the signature over the URL without
 * it. 400 without the two, 401 for an unknown key, 403 for a wrong signature or another material's archive, 404 for a
 * missing archive. The signature is checked first, so that unsigned requests reveal nothing.
 */
export function downloadRoutes({ sites, store, addresses }: DownloadPorts): readonly Route[] {
  const zipReply = (incoming: Incoming, bytes: StoredBytes): Reply =>
    storedReply(incoming, store.contents, bytes, 'application/zip')

  /** `urlAt`: the signed URL of the download at an origin; it may have been signed for another one than is called now. */
  function admit(incoming: Incoming, urlAt: (origin?: string) => string): SnapshotOwner | Reply {
    const apiKey = incoming.query.get('api_key') ?? ''
    const materialId = incoming.query.get('material_id') ?? ''
    if (apiKey === '' || materialId === '')
      return refusal(400, 'invalid_request', 'api_key and material_id must be in the query.')
    const site = siteOfKey(sites, apiKey)
    if (!site.ok) return site.failure
    const refusalAt = (url: string): Reply | null => refuseUnsigned(site.value, incoming, materialId, url)
    const refused = refusalAt(urlAt()) && refusalAt(urlAt(originOf(incoming.headers)))
    return refused ?? { apiKey, materialId }
  }

  const isOther = (requester: SnapshotOwner, owner: SnapshotOwner): boolean =>
    requester.apiKey !== owner.apiKey || requester.materialId !== owner.materialId

  const forbidden = refusal(403, 'wrong_material', 'This archive belongs to another material.')

  return [
    {
      method: 'GET',
      path: '/integration/download/media/:fingerprint/:version_id',
      handle(incoming, fingerprint = '', versionId = '') {
        const requester = admit(incoming, (origin) => addresses.media(fingerprint, versionId, origin))
        if ('status' in requester) return requester
        const session = store.sessions.byFingerprint(fingerprint)
        if (session === null) return notFound('session')
        if (isOther(requester, session)) return forbidden
        const archive = store.versions.archive(session.sessionId, versionId)
        return archive === null ? notFound('version') : zipReply(incoming, archive)
      },
    },
    {
      method: 'GET',
      path: '/integration/download/fonts/:fingerprint/:snapshot_id',
      handle(incoming, fingerprint = '', snapshotId = '') {
        const requester = admit(incoming, (origin) => addresses.fonts(fingerprint, snapshotId, origin))
        if ('status' in requester) return requester
        const owner = store.snapshots.owner(fingerprint, snapshotId)
        if (owner === null) return notFound('snapshot')
        if (isOther(requester, owner)) return forbidden
        const archive = store.snapshots.archive(snapshotId)
        return archive === null ? notFound('snapshot') : zipReply(incoming, archive)
      },
    },
  ]
}
