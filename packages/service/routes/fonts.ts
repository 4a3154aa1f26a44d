import { randomUUID } from 'node:crypto'

import { fontEntry } from '../archives/file-names.ts'
import { buildZip } from '../archives/zip.ts'
import { authorizationOf } from '../callbacks/authorization.ts'
import type { OutgoingCallback, DeliveryResult } from '../callbacks/deliver.ts'
import type { CallbackOutcome } from '../callbacks/outcome.ts'
import { failed } from '../callbacks/outcome.ts'
import { readAnswer } from '../callbacks/read-answer.ts'
import { deliveryReport } from '../callbacks/report.ts'
import type { Exchange } from '../callbacks/sent-callbacks.ts'
import { sign } from '../callbacks/signature.ts'
import { findFontsSender } from '../fonts/fonts-sender.ts'
import type { FontsSender } from '../fonts/fonts-sender.ts'
import type { FontSet } from '../fonts/parse-fonts.ts'
import { parseFontSet } from '../fonts/parse-fonts.ts'
import type { Addresses } from '../http/addresses.ts'
import { jsonReply, refusal } from '../http/exchange.ts'
import { readJsonBody } from '../http/json-body.ts'
import type { Route } from '../http/router.ts'
import { parseJsonObject } from '../json/json-value.ts'
import { memberText, objectText } from '../json/object-text.ts'
import { isUnresolved } from '../saving/state-assets.ts'
import type { ServiceSite } from '../sites/service-site.ts'
import { isAllowedHost } from '../sites/service-site.ts'
import type { Snapshot, Snapshots } from '../store/snapshots.ts'
import type { CallbackPorts } from './callback-ports.ts'
import { callbackGone } from './refusals.ts'

const bodyLimitBytes = 100 * 1024 * 1024

/** The fonts ZIP (contract, Fonts ZIP contents). */
const fontsZip = ({ files, css, tree }: FontSet, createdMs: number): Buffer =>
  buildZip(
    [
      ...Array.from(files, ([name, content]) => ({ name: fontEntry(name), content })),
      { name: 'vms_fonts.css', content: css },
      { name: 'vms_fonts.json', content: tree },
    ],
    createdMs,
  )

interface TakenFonts {
  readonly site: ServiceSite
  readonly snapshotId: string
  /** As sent. */
  readonly tree: string
  readonly callback: OutgoingCallback
}

/** The result of an answer to `site_fonts_updated`, and the tree to store. */
interface FontsVerdict {
  readonly outcome: CallbackOutcome
  readonly tree: string
}

/**
 * Every `clientUrl` of a tree, at any depth, since the contract does not define its structure. Iterative, as the site
 * controls the depth.
 */
function clientUrlsIn(tree: unknown): readonly string[] {
  const urls: string[] = []
  const open: unknown[] = [tree]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'clientUrl' && typeof inner === 'string') urls.push(inner)
      else open.push(inner)
    }
  }
  return urls
}

function isAllowedUrl(site: ServiceSite, url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return (protocol === 'http:' || protocol === 'https:') && isAllowedHost(site, hostname)
}

/**
 * Judges the site's answer (contract, Errors 3): a URL outside the allowed domains fails the webhook with
 * `domain_not_allowed` and keeps the old tree. Empty and `dummy-` entries are ignored: a site may omit the tree, and
 * leave entries unfilled.
 */
function judgeFonts(delivery: DeliveryResult, site: ServiceSite, sentTree: string): FontsVerdict {
  const accepted = readAnswer(delivery)
  if (!accepted.ok) return { outcome: accepted.failure, tree: sentTree }
  const { message, data } = accepted.value
  const { fonts: answered = null } = data
  // The payload's tree may be a list too, since the contract does not define its structure.
  if (typeof answered !== 'object')
    return { outcome: failed('invalid_answer', 'data.fonts in the response is not a JSON object.'), tree: sentTree }
  const refused = clientUrlsIn(answered).filter((url) => !isUnresolved(url) && !isAllowedUrl(site, url))
  if (refused.length > 0) {
    const words = `These addresses are not on a domain allowed for this site: ${refused.slice(0, 10).join(', ')}`
    return { outcome: failed('domain_not_allowed', words), tree: sentTree }
  }
  const tree =
    delivery.delivered && answered !== null ? memberText(memberText(delivery.text, 'data') ?? '{}', 'fonts') : null
  return { outcome: { result: 'merged', error: null, message }, tree: tree ?? sentTree }
}

/** Sends a font set's callback and judges the answer, any number of times; a later failure does not undo a merge. */
function exchangeOf(snapshots: Snapshots, delivery: CallbackPorts['delivery'], taken: TakenFonts): Exchange {
  const { site, snapshotId, tree: sentTree, callback } = taken
  let isMerged = false
  return async () => {
    const delivered = await delivery.fonts(callback)
    const { outcome, tree } = judgeFonts(delivered, site, sentTree)
    const isNewlyMerged = outcome.result === 'merged'
    if (isNewlyMerged || !isMerged) snapshots.settle(snapshotId, tree, outcome)
    isMerged ||= isNewlyMerged
    return { delivery: delivered, outcome, report: deliveryReport(delivered, outcome, { snapshot_id: snapshotId }) }
  }
}

/** The signed `site_fonts_updated` callback of a stored snapshot (contract, Events). */
function fontsCallback(sender: FontsSender, snapshot: Snapshot, addresses: Addresses): OutgoingCallback {
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

/**
 * `POST /_emulator/fonts`: changes the site's font set in the service. 400 for a malformed body, 401 for an unknown
 * key, 403 for a callback host that the key does not allow.
 */
export const fontsRoute = ({ sites, store, addresses, delivery, sent, nowMs }: CallbackPorts): Route => ({
  method: 'POST',
  path: '/_emulator/fonts',
  async handle(incoming) {
    const body = await readJsonBody(incoming, bodyLimitBytes)
    if (!body.ok) return body.failure
    const fonts = parseFontSet(body.value)
    if (!fonts.ok) return refusal(400, 'invalid_request', `${fonts.failure}.`)
    const sender = findFontsSender(sites, store.sessions, fonts.value)
    if (!sender.ok) return sender.failure

    const createdMs = nowMs()
    const snapshot: Snapshot = {
      snapshotId: randomUUID(),
      fingerprint: sender.value.session?.fingerprint ?? randomUUID(),
      apiKey: sender.value.site.apiKey,
      materialId: fonts.value.materialId,
      createdMs,
      tree: fonts.value.tree,
      css: fonts.value.css,
      archive: fontsZip(fonts.value, createdMs),
    }
    store.snapshots.add(snapshot)
    const { snapshotId, materialId, tree } = snapshot
    const callback = fontsCallback(sender.value, snapshot, addresses)
    const facts = {
      event: 'site_fonts_updated',
      materialId,
      url: callback.url,
      payload: callback.payload,
    } as const
    const taken = { site: sender.value.site, snapshotId, tree, callback }
    const report = await sent.send(facts, exchangeOf(store.snapshots, delivery, taken))
    return report === null ? callbackGone : jsonReply(200, report)
  },
})
