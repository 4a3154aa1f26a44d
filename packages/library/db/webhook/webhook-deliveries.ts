import type { Cause, MaterialId, SiteId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import type { Decider } from '../../records/person.ts'
import type { WebhookDelivery, WebhookDeliveryState } from '../../records/webhook.ts'
import { withoutDeciderIn } from '../../records/webhook.ts'
import { createConfirmedWebhooks } from './confirmed-webhooks.ts'
import { createWebhookQueue } from './webhook-queue.ts'

interface Row {
  readonly id: string
  readonly site: SiteId
  readonly type: WebhookDelivery['type']
  readonly materialId: MaterialId | null
  readonly at: string
  readonly state: WebhookDeliveryState
  readonly attempts: number
  readonly lastAt: string | null
  readonly status: number | null
  readonly cause: string | null
  readonly dueMs: number | null
}

/** A delivery that this process may send now. */
export interface ClaimedDelivery {
  readonly id: string
  readonly site: SiteId
  readonly body: string
  /** Those that failed. */
  readonly attempts: number
}

/** How an attempt ended. `cause` null: it was accepted. `dueMs`: when the next one follows. */
export interface AttemptEnd {
  readonly at: Date
  readonly status: number | null
  readonly cause: Cause | null
  readonly dueMs: number | null
}

const columns = `id, site, type, material_id AS materialId, at, state, attempts, last_at AS lastAt, status, cause,
  due_ms AS dueMs`

const toDelivery = ({ dueMs, cause, ...row }: Row): WebhookDelivery => ({
  ...row,
  cause: cause === null ? null : (JSON.parse(cause) as Cause),
  nextAt: dueMs === null ? null : new Date(dueMs).toISOString(),
})

/** The deliveries of this computer to webhooks, for whichever process sends them, and for lists. */
export function createWebhookDeliveries(db: Database) {
  const list = db.prepare<[string, number], Row>(
    `SELECT ${columns} FROM webhook_delivery WHERE site = ? ORDER BY arrival DESC LIMIT ?`,
  )
  const one = db.prepare<[string], Row>(`SELECT ${columns} FROM webhook_delivery WHERE id = ?`)
  const due = db.prepare<[], { site: SiteId; dueMs: number }>(
    `SELECT site, min(max(due_ms, held_ms)) AS dueMs FROM webhook_delivery INDEXED BY webhook_delivery_due
     WHERE due_ms IS NOT NULL GROUP BY site`,
  )
  const claim = db.prepare<{ site: string; id: string | null; nowMs: number; heldMs: number }, ClaimedDelivery>(
    `UPDATE webhook_delivery SET held_ms = @heldMs WHERE arrival = (
       SELECT arrival FROM webhook_delivery WHERE site = @site AND due_ms <= @nowMs AND (@id IS NULL OR id = @id)
         AND NOT EXISTS (SELECT 1 FROM webhook_delivery o WHERE o.site = @site AND o.held_ms > @nowMs)
       ORDER BY due_ms, arrival LIMIT 1)
     RETURNING id, site, body, attempts`,
  )
  const end = db.prepare<Record<string, string | number | null>>(
    `UPDATE webhook_delivery SET state = @state, attempts = attempts + 1, due_ms = @dueMs, held_ms = 0, last_at = @at,
       status = @status, cause = @cause WHERE id = @id`,
  )
  const release = db.prepare<[string]>('UPDATE webhook_delivery SET held_ms = 0 WHERE id = ?')
  const postpone = db.prepare<{ site: string; untilMs: number }>(
    'UPDATE webhook_delivery SET due_ms = @untilMs WHERE site = @site AND due_ms < @untilMs',
  )
  const again = db.prepare<{ id: string; nowMs: number }>(
    `UPDATE webhook_delivery SET state = 'waiting', attempts = 0, due_ms = @nowMs WHERE id = @id`,
  )
  const giveUp = db.prepare<{ site: string; cause: string }>(
    `UPDATE webhook_delivery SET state = 'failed', due_ms = NULL, cause = @cause WHERE site = @site AND due_ms IS NOT NULL`,
  )
  const last = db.prepare<[string], Row>(
    `SELECT ${columns} FROM webhook_delivery WHERE site = ? AND last_at IS NOT NULL ORDER BY last_at DESC, arrival DESC LIMIT 1`,
  )
  const bodies = db.prepare<[], { arrival: number; body: string }>('SELECT arrival, body FROM webhook_delivery')
  const rewrite = db.prepare<[string, number]>('UPDATE webhook_delivery SET body = ? WHERE arrival = ?')
  /** The messages that name a person, as they are without. */
  const named = (person: Decider) =>
    bodies.all().flatMap(({ arrival, body }) => {
      const without = withoutDeciderIn(body, person)
      return without === body ? [] : [{ arrival, body: without }]
    })
  const { test } = createWebhookQueue(db)
  return {
    confirmed: createConfirmedWebhooks(db),
    /** Newest first. */
    of: (site: SiteId, limit: number): readonly WebhookDelivery[] => list.all(site, limit).map(toDelivery),
    find(id: string): WebhookDelivery | null {
      const row = one.get(id)
      return row ? toDelivery(row) : null
    },
    /** The last attempt of a site; null: there was none. */
    last(site: SiteId): WebhookDelivery | null {
      const row = last.get(site)
      return row ? toDelivery(row) : null
    },
    /** The sites with something to send, and when it is due, in milliseconds since 1970. */
    due: (): readonly { readonly site: SiteId; readonly dueMs: number }[] => due.all(),
    /**
     * Takes one due delivery of a site, for as long as an attempt may take, or the one with this id; null if none is due, or if
     * any process sends one of this site now.
     */
    claim: (site: SiteId, id: string | null, nowMs: number, heldMs: number): ClaimedDelivery | null =>
      claim.get({ site, id, nowMs, heldMs }) ?? null,
    end(id: string, { at, status, cause, dueMs }: AttemptEnd): void {
      const state = cause === null ? 'delivered' : dueMs === null ? 'failed' : 'waiting'
      end.run({ id, state, dueMs, at: at.toISOString(), status, cause: cause && JSON.stringify(cause) })
    },
    /** Takes a claim back: the attempt was not made. */
    release: (id: string): void => void release.run(id),
    /** Sends nothing of this site before a moment. */
    postpone: (site: SiteId, untilMs: number): void => void postpone.run({ site, untilMs }),
    /** Makes a delivery due, with a new series of attempts. */
    again: (id: string, nowMs: number): void => void again.run({ id, nowMs }),
    /** How many messages name a person who has decided. */
    countNamed: (person: Decider): number => named(person).length,
    /** Takes that person out of them, also out of those that were sent. */
    forgetName(person: Decider): void {
      for (const { arrival, body } of named(person)) rewrite.run(body, arrival)
    },
    /** Ends what waits for a site. */
    giveUp: (site: SiteId, cause: Cause): void => void giveUp.run({ site, cause: JSON.stringify(cause) }),
    test,
  }
}
