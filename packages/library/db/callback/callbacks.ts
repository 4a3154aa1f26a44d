import { hideCredentials, redactUrl, redactedMark } from '@galley/wire'
import type { CallbackId, MaterialId, Outcome, SiteId, Step } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { CallbackRecord } from '../../records/callback-record.ts'
import type { ShownHeader } from '../../views/callbacks.ts'
import type { ProblemFacts } from '../../views/problem.ts'
import type { Commit } from '../commit/commit.ts'
import { eachOf } from '../database/each-of.ts'
import { createWebhookQueue } from '../webhook/webhook-queue.ts'
import type { SignatureTrace } from './callback-request.ts'

/** How many callbacks without a valid signature to keep. Anyone can send them, so the number is limited. */
const unsignedMax = 10_000

/** How many addresses with credentials to keep in memory for the signature doctor. */
const exactUrlsMax = 1000

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
  /** Whether it looks like a save of the service although its signature is not valid. */
  readonly isSuspect?: boolean
}

export interface CallbackFilter {
  readonly site: SiteId | null
  readonly outcome: string | null
  readonly limit: number
}

/** The result of a callback. */
export type CallbackResult = Omit<CallbackRecord, keyof Arrival> & {
  /** Milliseconds from the complete body to the response; absent if not measured. */
  readonly durationMs?: number
  /** The facts of a failure, for its text. */
  readonly facts?: ProblemFacts
}

interface CallbackRow {
  id: CallbackId
  site: SiteId
  received_at: string
  kind: CallbackRecord['kind']
  material_id: string | null
  content_url: string | null
  signature: CallbackRecord['signature']
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
  /** The id of the stored version or snapshot. */
  readonly versionId: string
}

/** The callbacks of this computer, and the ledger of stored deliveries. */
export function createCallbacks(db: Database, commit: Pick<Commit, 'isAhead' | 'follow'>) {
  const insert = db.prepare<Record<string, string | number | null>>(
    `INSERT INTO callback (id, site, received_at, kind, material_id, content_url, signature, payload, headers, body_bytes,
       signature_hash, signature_form, is_suspect)
     VALUES (@id, @site, @receivedAt, @kind, @materialId, @contentUrl, @signature, @payload, @headers, @bodyBytes,
       @signatureHash, @signatureForm, @isSuspect)`,
  )
  const setEnd = db.prepare<Record<string, string | number | null>>(
    `UPDATE callback SET outcome = @outcome, http_status = @httpStatus, rc = @rc, code = @code, rm = @rm,
       version_id = @versionId, duplicate_of = @duplicateOf, steps = @steps, duration_ms = @durationMs, facts = @facts
     WHERE id = @id`,
  )
  const endedIds = listed(db)
  const one = db.prepare<[string], CallbackRow>(
    `SELECT id, site, received_at, kind, material_id, content_url, signature, outcome, http_status, rc, code, rm,
       version_id, duplicate_of, steps FROM callback WHERE id = ? AND outcome IS NOT NULL`,
  )
  const payload = db
    .prepare<[string], string | null>('SELECT payload FROM callback WHERE id = ? AND outcome IS NOT NULL')
    .pluck()
  const prune = db.prepare<[number]>(
    `DELETE FROM callback WHERE signature <> 'valid' AND arrival <= (
       SELECT arrival FROM callback WHERE signature <> 'valid' ORDER BY arrival DESC LIMIT 1 OFFSET ?)`,
  )
  const addresses = hiddenAddresses(db)
  const tell = tellingOfFailures(db)

  const arrive = ({ headers, bodyBytes, trace, isSuspect, ...arrival }: Arrival): void =>
    void insert.run({
      ...arrival,
      headers: headers ? JSON.stringify(headers) : null,
      bodyBytes: bodyBytes ?? null,
      signatureHash: trace?.hash ?? null,
      signatureForm: trace ? JSON.stringify(trace.form) : null,
      isSuspect: Number(isSuspect === true),
    })
  function end(id: CallbackId, { steps, durationMs, facts, ...result }: CallbackResult): void {
    setEnd.run({
      ...result,
      id,
      steps: JSON.stringify(steps),
      durationMs: durationMs === undefined ? null : Math.round(durationMs),
      facts: JSON.stringify(facts ?? {}),
    })
    if (failedOutcomes.has(result.outcome)) tell(id)
  }
  const endAsWhole = db.transaction(end)

  function find(id: string): CallbackRecord | null {
    const row = one.get(id)
    return row ? fromRow(row) : null
  }

  const each = (filter: CallbackFilter): Iterable<CallbackRecord> => eachOf(endedIds(filter), find)

  return {
    ...createLedger(db, commit),
    /** Records the start of a job. Lists omit the row until `finish`. */
    begin: arrive,
    finish: (id: CallbackId, result: CallbackResult): void => {
      endAsWhole(id, result)
      if (!isAnswered(result)) addresses.hideStored(id)
    },
    /** Records callbacks that ended immediately, in one transaction. Deletes the oldest unsigned ones. */
    record: (ends: readonly { readonly arrival: Arrival; readonly result: CallbackResult }[]): void =>
      // Begins with a write to the list, so it waits for no writer of the index.
      db.transaction(() => {
        for (const { arrival, result } of ends) {
          arrive(isAnswered(result) ? arrival : addresses.hide(arrival))
          end(arrival.id, result)
        }
        if (ends.some(({ arrival }) => arrival.signature !== 'valid')) prune.run(unsignedMax)
      })(),
    /** Newest first, read one by one. */
    each,
    /** Newest first. */
    list: (filter: CallbackFilter): readonly CallbackRecord[] => [...each(filter)],
    find,
    /** The redacted payload of a callback as JSON text. */
    payload: (id: string): string | null => payload.get(id) ?? null,
    /** Marks callbacks that the previous owner left running as interrupted. Only for the owner of the library. */
    closeInterrupted: closing(db, addresses.hideStored, tell),
    /** The address as it was signed; null if only its redacted form was kept. */
    signedUrl: addresses.signed,
  }
}

/** The callbacks of a list, newest first. */
function listed(db: Database): (filter: CallbackFilter) => readonly string[] {
  const ended = db
    .prepare<{ outcome: string | null; limit: number }, string>(
      `SELECT id FROM callback WHERE outcome IS NOT NULL
         AND (@outcome IS NULL OR outcome = @outcome) ORDER BY arrival DESC LIMIT @limit`,
    )
    .pluck()
  const endedOfSite = db
    .prepare<{ site: SiteId; outcome: string | null; limit: number }, string>(
      `SELECT id FROM callback WHERE outcome IS NOT NULL AND site = @site
         AND (@outcome IS NULL OR outcome = @outcome) ORDER BY arrival DESC LIMIT @limit`,
    )
    .pluck()
  return ({ site, ...filter }) => (site === null ? ended.all(filter) : endedOfSite.all({ ...filter, site }))
}

/** Ends the callbacks that a process left running. Returns how many there were. */
function closing(db: Database, hideStored: (id: string) => void, tell: (id: string) => void): () => number {
  const running = db.prepare<[], string>('SELECT id FROM callback WHERE outcome IS NULL').pluck()
  const interrupt = db.prepare<[string]>(
    `UPDATE callback SET outcome = 'interrupted', http_status = 0, rc = 0, code = 'interrupted', rm = ?
     WHERE outcome IS NULL`,
  )
  return db.transaction(() => {
    const ids = running.all()
    interrupt.run('Galley stopped before this save was finished. Nothing was saved. Save again in the editor.')
    ids.forEach(hideStored)
    ids.forEach(tell)
    return ids.length
  })
}

/** How a save of the service ends that is lost for now. */
const failedOutcomes: ReadonlySet<string | null> = new Set<Outcome>(['failed', 'rejected', 'interrupted'])

/** Queues for webhooks that a save failed. Anybody can send a callback without a valid signature, so those are left out. */
function tellingOfFailures(db: Database): (id: string) => void {
  const saves = db.prepare<[string], { site: SiteId; materialId: string; code: string | null; at: string }>(
    `SELECT site, material_id AS materialId, code, received_at AS at FROM callback
     WHERE id = ? AND signature = 'valid' AND kind = 'article_saved' AND material_id IS NOT NULL`,
  )
  const { saveFailed } = createWebhookQueue(db)
  return (id) => {
    const save = saves.get(id)
    if (save) saveFailed(id, save.site, save.materialId, save.code, save.at)
  }
}

/** Hides the credentials in the addresses of callbacks that stored nothing. The disk has none of them; memory has the newest. */
function hiddenAddresses(db: Database) {
  type Shown = Pick<Arrival, 'id' | 'contentUrl' | 'payload'>
  const one = db.prepare<[string], Shown>('SELECT id, content_url AS contentUrl, payload FROM callback WHERE id = ?')
  const update = db.prepare<Shown>('UPDATE callback SET content_url = @contentUrl, payload = @payload WHERE id = @id')
  const exact = new Map<string, string>()

  function hide<Row extends Shown>(row: Row): Row {
    const { id, contentUrl, payload } = row
    const shown = contentUrl && hideCredentials(contentUrl)
    if (contentUrl === null || shown === contentUrl) return row
    exact.set(id, contentUrl)
    const [oldest] = exact.keys()
    if (oldest !== undefined && exact.size > exactUrlsMax) exact.delete(oldest)
    return { ...row, contentUrl: shown, payload: payload && redactUrl(payload) }
  }

  return {
    hide,
    hideStored(id: string): void {
      const row = one.get(id)
      const hidden = row && hide(row)
      if (hidden && hidden !== row) update.run(hidden)
    },
    signed(id: string): string | null {
      const url = exact.get(id) ?? one.get(id)?.contentUrl ?? null
      return url?.includes(redactedMark) ? null : url
    },
  }
}

/** Whether the answer says that the save is stored: then its address identifies it. */
const isAnswered = ({ outcome }: CallbackResult): boolean => outcome === 'stored' || outcome === 'duplicate'

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
    storedDelivery(site: SiteId, kind: string, materialId: MaterialId, contentUrl: string): StoredDelivery | null {
      const known = stored.get(site, kind, materialId, contentUrl)
      if (known || !commit.isAhead()) return known ?? null
      commit.follow()
      return stored.get(site, kind, materialId, contentUrl) ?? null
    },
    /** The callback that stored a version or snapshot. */
    storingVersion: (site: SiteId, kind: string, materialId: MaterialId, versionId: string): CallbackId | null =>
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
