import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Confirmations, Index, IndexWith, Replay, SiteSecrets, SiteSettings, Tasks } from '@galley/library'
import { callbackReport, csvColumns, csvLine, diagnose, inspectCallback, shareableRow, traceOf } from '@galley/library'
import { siteInputOf } from '@galley/library/records'
import type { Answer, CallbackFilters, CallbackRow, Diagnosis, ReplayComparison } from '@galley/library/records'
import { isSystemError } from '@galley/platform'
import { fail, ok } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { callbackCalls } from '../../../ipc/callbacks.ts'
import type { Desktop } from '../desktop.ts'
import { fileFailed } from './file-failed.ts'
import { unknownCallback, unknownSite } from './unknown.ts'

/** Rows to read at a time. */
const batch = 500

/** Writes the filtered callbacks to a file, redacted. Returns their number. */
async function writeCallbacks(
  list: Index['callbackList'],
  filters: CallbackFilters,
  format: 'csv' | 'json',
  path: string,
): Promise<number> {
  let count = 0
  const text = function* () {
    if (format === 'csv') yield csvLine(csvColumns)
    for (const row of rowsOf(list, filters)) {
      const shared = shareableRow(row)
      count += 1
      yield format === 'csv'
        ? csvLine(csvColumns.map((column) => shared[column]))
        : `${count === 1 ? '[\n' : ',\n'}${JSON.stringify(shared)}`
    }
    if (format === 'json') yield count === 0 ? '[]\n' : '\n]\n'
  }
  await pipeline(Readable.from(text()), createWriteStream(path, { mode: 0o600 }))
  return count
}

function* rowsOf(list: Index['callbackList'], filters: CallbackFilters): Generator<CallbackRow> {
  let upTo = Number.MAX_SAFE_INTEGER
  for (;;) {
    const rows = list.back(filters, upTo, batch)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < batch) return
    upTo = last.arrival - 1
  }
}

export interface CallbackPorts {
  readonly index: IndexWith<'failedSaves' | 'unsignedSaves'>
  readonly secrets: SiteSecrets
  readonly tasks: Tasks
  readonly replay: Replay
  readonly version: string
  readonly now: () => Date
  readonly sites: Pick<SiteSettings, 'save'>
  readonly confirmations: Pick<Confirmations, 'isConfirmed'>
}

/** Calls about the log of callbacks. */
export function callbackHandlers(
  ports: CallbackPorts,
  desktop: Desktop,
  marked: () => void,
): HandlersOf<typeof callbackCalls> {
  const { index, secrets, tasks } = ports

  async function replay(id: string, isDryRun: boolean): Promise<Answer<ReplayComparison>> {
    const record = index.callbacks.find(id)
    if (!record) return unknownCallback(id)
    const replayed = await ports.replay(record, isDryRun)
    if (!replayed) return unknownSite(record.site)
    // Codes in the log are failure codes, or that of an interrupted job.
    return ok({ id: record.id, isDryRun, ...replayed } as ReplayComparison)
  }

  return {
    lookAtFailedSaves({ site }) {
      if (index.failedSaves.markSeen(site)) marked()
      return null
    },
    dismissFailedSave({ id, isDismissed }) {
      index.failedSaves.dismiss(id, isDismissed ? ports.now().toISOString() : null)
      marked()
      return null
    },
    dismissUnsignedSaves({ site }) {
      index.unsignedSaves.settle(site)
      marked()
      return null
    },
    adoptSignatureHeader: ({ id }) => adoptHeader(ports, id, marked),
    queryCallbacks: (query) => index.callbackList.query(query),
    callbackCounts: ({ filters }) => index.callbackList.counts(filters),
    callbackActivity: ({ site, since }) => index.callbackActivity.since(site, since),
    inspectCallback({ id }) {
      const detail = inspectCallback(index, id)
      return detail ? ok(detail) : unknownCallback(id)
    },
    diagnoseCallback: ({ id }) => diagnoseStored(ports, id),
    async diagnoseValues({ site, materialId, contentUrl, signature }) {
      const found = index.sites.find(site)
      if (!found) return unknownSite(site)
      const trace = signature.trim() === '' ? null : traceOf(signature)
      return ok(await diagnose({ site: found, materialId, contentUrl, trace }, index.sites.list(), secrets))
    },
    replayCallback: ({ id, isDryRun }) => replay(id, isDryRun),
    replayCallbacks: ({ ids, isDryRun }) =>
      ok({
        task: tasks.start('replay', { count: ids.length, isDryRun }, async ({ signal, progress }) => {
          const compared: ReplayComparison[] = []
          for (const [at, id] of ids.entries()) {
            if (signal.aborted) return fail({ code: 'cancelled' })
            const one = await replay(id, isDryRun)
            if (one.ok) compared.push(one.value)
            progress({ step: 'replaying', done: at + 1, total: ids.length, unit: 'callbacks' })
          }
          return ok(compared)
        }),
      }),
    async exportCallbacks({ filters, format }) {
      const path = await desktop.chooseNewFile('callbacksExport', { name: `callbacks.${format}`, extensions: [format] })
      if (path === null) return ok(null)
      try {
        return ok({ path, count: await writeCallbacks(index.callbackList, filters, format, path) })
      } catch (error) {
        if (isSystemError(error)) return fileFailed(error)
        throw error
      }
    },
    callbackReport({ id }) {
      const detail = inspectCallback(index, id)
      return detail ? ok(callbackReport(detail, ports.version)) : unknownCallback(id)
    },
  }
}

/** Only what main has found in a callback becomes the header, whatever the window says. */
async function adoptHeader(ports: CallbackPorts, id: string, marked: () => void): Promise<Answer<null>> {
  const { index, sites, confirmations } = ports
  const header = index.callbackRequests.find(id)?.facts['signedIn']
  const site = index.sites.find(index.callbacks.find(id)?.site ?? '')
  if (typeof header !== 'string' || site === null) return unknownCallback(id)
  if (!confirmations.isConfirmed(site)) return fail({ code: 'site_unconfirmed' })
  const saved = await sites.save({ ...siteInputOf(site), signatureHeader: header }, null)
  marked()
  return saved.ok ? ok(null) : saved
}

async function diagnoseStored({ index, secrets }: CallbackPorts, id: string): Promise<Answer<Diagnosis>> {
  const record = index.callbacks.find(id)
  if (!record) return unknownCallback(id)
  const site = index.sites.find(record.site)
  if (!site) return unknownSite(record.site)
  const { trace = null, facts = {} } = index.callbackRequests.find(id) ?? {}
  const { signature, materialId } = record
  const contentUrl = index.callbacks.signedUrl(id)
  if (signature === 'valid') return ok({ findings: [{ code: 'matches' }], wouldPass: true })
  if (typeof facts['signedIn'] === 'string') {
    return facts['signedIn'] === site.signatureHeader.toLowerCase()
      ? ok({ findings: [{ code: 'matches' }], wouldPass: true })
      : ok({ findings: [{ code: 'other_header', header: facts['signedIn'] }], wouldPass: false })
  }
  if (signature !== 'missing' && (trace === null || contentUrl === null)) {
    return ok({ findings: [{ code: 'not_kept' }], wouldPass: false })
  }
  const request = { site, materialId: materialId ?? '', contentUrl: contentUrl ?? '', trace }
  return ok(await diagnose(request, index.sites.list(), secrets))
}
