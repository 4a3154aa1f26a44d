import type { Database } from 'better-sqlite3'

import type { Outcome } from '../../../contract/protocol/answer.ts'
import type { CallbackRecord } from '../../../contract/domain/callback-record.ts'
import type { Step } from '../../../contract/step.ts'
import type { CallbackId } from '../../../contract/ids.ts'
import type { ShownHeader } from '../../../contract/ipc/callbacks.ts'
import type { ProblemFacts } from '../../../contract/ipc/problem.ts'
import type { SignatureTrace } from './callback-request.ts'
import type { Commit } from './commit.ts'

/** How many callbacks without a valid signature to keep. Anyone can send them, so the number is limited. */
const unsignedMax = 10_000

/** The facts of a callback at its arrival. `payload` is redacted JSON text. */
export type Arrival = Pick<
  CallbackRecord,
  'id' | 'site' | 'receivedAt' | 'kind' | 'materialId' | 'contentUrl' | 'signature'
> & {
  readonly payload: string | null
  readonly headers?: readonly ShownHeader[]
  readonly bodyBytes?: number
  /** Data about an invalid signature. */
  readonly trace?: SignatureTrace
}

/** The result of a callback. */
export type Ending = Omit<CallbackRecord, keyof Arrival> & {
  /** Milliseconds from the complete body to the response; absent if not measured. */
  readonly durationMs?: number
  /** The facts of a failure, for its text. */
  readonly facts?: ProblemFacts
}

interface CallbackRow {
  id: CallbackId
  site: string
  received_at: string
  kind: CallbackRecord['kind']
  material_id: string | null
  content_url: string | null
  signature: CallbackRecord['signature']
  payload: string | null
  outcome: Outcome
  http_status: number
  rc: number
  code: string | null
  rm: string
  version_id: string | null
  duplicate_of: CallbackId | null
  steps: string
}

/** A stored delivery in the ledger: what it stored, and its callback. */
export interface StoredDelivery {
  readonly callback: CallbackId
  readonly versionId: string
}

/** The callbacks of this computer, and the ledger of stored deliveries. */
export function createCallbacks(db: Database, commit: Pick<Commit, 'isAhead' | 'follow'>) {
  const insert = db.prepare<Record<string, string | number | null>>(
    `INSERT INTO callback (id, site, received_at, kind, material_id, content_url, signature, payload, headers, body_bytes,
       signature_hash, signature_form)
     VALUES (@id, @site, @receivedAt, @kind, @materialId, @contentUrl, @signature, @payload, @headers, @bodyBytes,
       @signatureHash, @signatureForm)`,
  )
  const end = db.prepare<Record<string, string | number | null>>(
    `UPDATE callback SET outcome = @outcome, http_status = @httpStatus, rc = @rc, code = @code, rm = @rm,
       version_id = @versionId, duplicate_of = @duplicateOf, steps = @steps, duration_ms = @durationMs, facts = @facts
     WHERE id = @id`,
  )
  const ended = db.prepare<{ outcome: string | null; limit: number }, CallbackRow>(
    `SELECT * FROM callback WHERE outcome IS NOT NULL
       AND (@outcome IS NULL OR outcome = @outcome) ORDER BY arrival DESC LIMIT @limit`,
  )
  const endedOfSite = db.prepare<{ site: string; outcome: string | null; limit: number }, CallbackRow>(
    `SELECT * FROM callback WHERE outcome IS NOT NULL AND site = @site
       AND (@outcome IS NULL OR outcome = @outcome) ORDER BY arrival DESC LIMIT @limit`,
  )
  const one = db.prepare<[string], CallbackRow>('SELECT * FROM callback WHERE id = ? AND outcome IS NOT NULL')
  const interrupt = db.prepare<[string]>(
    `UPDATE callback SET outcome = 'interrupted', http_status = 0, rc = 0, code = 'interrupted', rm = ?
     WHERE outcome IS NULL`,
  )
  const prune = db.prepare<[number]>(
    `DELETE FROM callback WHERE signature <> 'valid' AND arrival <= (
       SELECT arrival FROM callback WHERE signature <> 'valid' ORDER BY arrival DESC LIMIT 1 OFFSET ?)`,
  )
  let unsignedSincePrune = 0

  const arrive = ({ headers, bodyBytes, trace, ...arrival }: Arrival): void =>
    void insert.run({
      ...arrival,
      headers: headers ? JSON.stringify(headers) : null,
      bodyBytes: bodyBytes ?? null,
      signatureHash: trace?.hash ?? null,
      signatureForm: trace ? JSON.stringify(trace.form) : null,
    })
  const finish = (id: CallbackId, { steps, durationMs, facts, ...ending }: Ending): void =>
    void end.run({
      ...ending,
      id,
      steps: JSON.stringify(steps),
      durationMs: durationMs === undefined ? null : Math.round(durationMs),
      facts: JSON.stringify(facts ?? {}),
    })

  return {
    ...createLedger(db, commit),
    /** Records the start of a job. Lists omit the row until `finish`. */
    begin: arrive,
    finish,
    /** Records callbacks that ended immediately, in one transaction. Deletes the oldest unsigned ones. */
    record: (ends: readonly { readonly arrival: Arrival; readonly ending: Ending }[]): void =>
      db
        .transaction(() => {
          for (const { arrival, ending } of ends) {
            arrive(arrival)
            finish(arrival.id, ending)
          }
          unsignedSincePrune += ends.length
          if (unsignedSincePrune < 100) return
          prune.run(unsignedMax)
          unsignedSincePrune = 0
        })
        .immediate(),
    /** Newest first. */
    list: (filter: { site: string | null; outcome: string | null; limit: number }): readonly CallbackRecord[] =>
      (filter.site === null
        ? ended.all({ outcome: filter.outcome, limit: filter.limit })
        : endedOfSite.all({ ...filter, site: filter.site })
      ).map(fromRow),
    find(id: string): CallbackRecord | null {
      const row = one.get(id)
      return row ? fromRow(row) : null
    },
    /** The redacted payload of a callback as JSON text. */
    payload: (id: string): string | null => one.get(id)?.payload ?? null,
    /** Marks callbacks that the previous owner left running as interrupted. Only for the owner of the library. */
    closeInterrupted: (): number =>
      interrupt.run('Galley stopped before this save was finished. Nothing was saved. Save again in the editor.')
        .changes,
  }
}

/** The ledger of stored deliveries, which is derived from the log. */
function createLedger(db: Database, commit: Pick<Commit, 'isAhead' | 'follow'>) {
  const stored = db.prepare<[string, string, string, string], StoredDelivery>(
    `SELECT callback, version_id AS versionId FROM delivery
     WHERE site = ? AND kind = ? AND material_id = ? AND content_url = ?`,
  )
  const storing = db.prepare<[string, string, string, string], { callback: CallbackId }>(
    'SELECT callback FROM delivery WHERE site = ? AND kind = ? AND version_id = ? AND material_id = ? LIMIT 1',
  )

  return {
    /**
     * The stored delivery that answers a repeated one. Where the index could not take what the log has, it is brought up to
     * date first: a save that was acknowledged is not stored again. Throws what the index throws.
     */
    storedDelivery(site: string, kind: string, materialId: string, contentUrl: string): StoredDelivery | null {
      const known = stored.get(site, kind, materialId, contentUrl)
      if (known || !commit.isAhead()) return known ?? null
      commit.follow()
      return stored.get(site, kind, materialId, contentUrl) ?? null
    },
    /** The callback that stored a version or snapshot. */
    storingVersion: (site: string, kind: string, materialId: string, versionId: string): CallbackId | null =>
      storing.get(site, kind, versionId, materialId)?.callback ?? null,
  }
}

const fromRow = (row: CallbackRow): CallbackRecord => ({
  id: row.id,
  site: row.site,
  receivedAt: row.received_at,
  kind: row.kind,
  materialId: row.material_id,
  contentUrl: row.content_url,
  signature: row.signature,
  outcome: row.outcome,
  httpStatus: row.http_status,
  rc: row.rc === 1 ? 1 : 0,
  code: row.code,
  rm: row.rm,
  versionId: row.version_id,
  duplicateOf: row.duplicate_of,
  steps: JSON.parse(row.steps) as Step[],
})
