import { authorizationOf } from '../callbacks/authorization.ts'
import type { OutgoingCallback } from '../callbacks/deliver.ts'
import { sign } from '../callbacks/signature.ts'
import type { Addresses } from '../http/addresses.ts'
import { parseJsonObject } from '../json/json-value.ts'
import { objectText } from '../json/object-text.ts'
import type { ServiceSite } from '../sites/service-site.ts'
import type { Session } from '../store/sessions.ts'
import type { NewVersion } from '../store/versions.ts'

/** The signed `article_saved` callback of a stored version (contract, Events). */
export function savedCallback(
  site: ServiceSite,
  session: Session,
  version: NewVersion,
  addresses: Addresses,
): OutgoingCallback {
  const contentUrl = addresses.media(session.fingerprint, version.versionId, session.origin)
  return {
    url: session.callbackUrl,
    payload: objectText([
      ['event', '"article_saved"'],
      ['material_id', JSON.stringify(session.materialId)],
      ['content_url', JSON.stringify(contentUrl)],
      ['metadata', version.metadata],
      ['debug', 'false'],
    ]),
    signatureHeader: site.signatureHeader,
    signature: sign(site.apiSecret, session.materialId, contentUrl),
    authorization: authorizationOf(parseJsonObject(version.metadata) ?? {}),
  }
}
