import type { MaterialId } from '@galley/wire'
import { isCredentialKey, objectAt, rootOf, sessionMetadata, stringText } from '@galley/wire'

import { reviewMetadata } from '../records/metadata-review.ts'
import type { Site } from '../records/site.ts'
import type { OpenPreview } from '../views/editor.ts'
import type { SessionPorts } from './ports.ts'

/** The request that opening a material would send, without sending it. A material that was never opened counts as new. */
export async function previewOpen(
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
