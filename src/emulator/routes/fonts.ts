import { randomUUID } from 'node:crypto'

import { fontEntry } from '../archives/file-names.ts'
import { buildZip } from '../archives/zip.ts'
import type { CallbackPorts } from '../callbacks/callback-ports.ts'
import { deliveryReport } from '../callbacks/report.ts'
import { fontsCallback } from '../fonts/fonts-callback.ts'
import { findFontsSender } from '../fonts/fonts-sender.ts'
import { judgeFonts } from '../fonts/judge-fonts.ts'
import type { FontSet } from '../fonts/parse-fonts.ts'
import { parseFontSet } from '../fonts/parse-fonts.ts'
import { jsonReply, refusal } from '../http/exchange.ts'
import { readJsonBody } from '../http/json-body.ts'
import type { Route } from '../http/router.ts'
import type { Snapshot } from '../store/snapshots.ts'

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

/**
 * `POST /_emulator/fonts`: the site's font set changes in the service. 400 for a malformed body, 401 for an unknown
 * key, 403 for a callback host that the key may not use.
 */
export const fontsRoute = ({ sites, store, addresses, delivery, nowMs }: CallbackPorts): Route => ({
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
    const delivered = await delivery.fonts(fontsCallback(sender.value, snapshot, addresses))
    const verdict = judgeFonts(delivered, sender.value.site, snapshot.tree)
    store.snapshots.settle(snapshot.snapshotId, verdict.tree, verdict.outcome)
    return jsonReply(200, deliveryReport(delivered, verdict.outcome, { snapshot_id: snapshot.snapshotId }))
  },
})
