import { authorizationOf } from '../callbacks/authorization.ts'
import type { OutgoingCallback } from '../callbacks/deliver.ts'
import { sign } from '../callbacks/signature.ts'
import type { Addresses } from '../http/addresses.ts'
import { parseJsonObject } from '../json/json-value.ts'
import { objectText } from '../json/object-text.ts'
import type { Snapshot } from '../store/snapshots.ts'
import type { FontsSender } from './fonts-sender.ts'

/** The signed `site_fonts_updated` callback of a stored snapshot (contract, Events). */
export function fontsCallback(sender: FontsSender, snapshot: Snapshot, addresses: Addresses): OutgoingCallback {
  const contentUrl = addresses.fonts(snapshot.fingerprint, snapshot.snapshotId, sender.session?.origin)
  const metadata = sender.session?.metadata ?? '{}'
  return {
    url: sender.callbackUrl,
    payload: objectText([
      ['event', '"site_fonts_updated"'],
      ['material_id', JSON.stringify(snapshot.materialId)],
      ['content_url', JSON.stringify(contentUrl)],
      ['metadata', metadata],
      ['fonts', snapshot.tree],
    ]),
    signatureHeader: sender.site.signatureHeader,
    signature: sign(sender.site.apiSecret, snapshot.materialId, contentUrl),
    authorization: authorizationOf(parseJsonObject(metadata) ?? {}),
  }
}
