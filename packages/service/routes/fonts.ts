import { randomUUID } from 'node:crypto'

import { fontEntry } from '../archives/file-names.ts'
import { buildZip } from '../archives/zip.ts'
import type { OutgoingCallback } from '../callbacks/deliver.ts'
import { deliveryReport } from '../callbacks/report.ts'
import type { Exchange } from '../callbacks/sent-callbacks.ts'
import { fontsCallback } from '../fonts/fonts-callback.ts'
import { findFontsSender } from '../fonts/fonts-sender.ts'
import { judgeFonts } from '../fonts/judge-fonts.ts'
import type { FontSet } from '../fonts/parse-fonts.ts'
import { parseFontSet } from '../fonts/parse-fonts.ts'
import { jsonReply, refusal } from '../http/exchange.ts'
import { readJsonBody } from '../http/json-body.ts'
import type { Route } from '../http/router.ts'
import type { ServiceSite } from '../sites/service-site.ts'
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
