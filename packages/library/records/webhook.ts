import type { Cause, MaterialId, SiteId, VersionId } from '@galley/wire'
import { z } from 'zod'

import type { Change } from './changes.ts'
import type { Decider } from './person.ts'
import { withoutDecider } from './person.ts'
import type { WebhookEvent } from './webhook-setting.ts'

// What a site tells to one URL: which changes, and in which words.

/** A secret for signatures in the form of Standard Webhooks: 24 to 64 bytes in base64 after `whsec_`. */
export const webhookSecret = z
  .string()
  .regex(/^whsec_(?=[A-Za-z0-9+/]{32,86}={0,2}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)

/** What is told, before it has a title and a number. */
export interface WebhookNews {
  readonly type: WebhookEvent
  readonly site: SiteId
  readonly at: string
  readonly materialId?: MaterialId
  readonly versionId?: VersionId
  readonly decision?: string
  readonly reason?: string
  /** The name of a person. */
  readonly by?: string
  readonly release?: string
  readonly target?: string
  /** Of a failed save. */
  readonly code?: string | null
}

const reviewed = { approved: 'review.approved', changes_requested: 'review.changes_requested' } as const

/** What a change of the log tells. */
export function newsOf(change: Change): readonly WebhookNews[] {
  if (change.kind === 'version_stored') {
    const { site, materialId, versionId, receivedAt: at } = change.version
    return [{ type: 'version.stored', site, at, materialId, versionId }]
  }
  if (change.kind === 'released') {
    const { site, at, id: release, target } = change.release
    return [{ type: 'site.published', site, at, release, target }]
  }
  if (change.kind !== 'fields_set' || change.record !== 'version' || !change.set.verdict) return []
  const { decision, reason, by, at } = change.set.verdict
  if (decision === 'cleared') return []
  const { site } = change
  return change.of.map((version) => ({ type: reviewed[decision], site, at, ...version, decision, reason, by }))
}

/** What the body adds to the news. */
export interface WebhookFacts {
  readonly title: string | null
  readonly number: number | null
  /** The open commented places of the version and those before it, as a reader sees them. */
  readonly quotes: readonly string[]
  /** Where the material is edited; null: the site has no template for it. */
  readonly link: string | null
  /** Whether the site allows names. */
  readonly withNames: boolean
}

/** The body of a request, as JSON text: never an e-mail address, an IP address, metadata or a path of this computer. */
export function webhookBody(news: WebhookNews, { title, number, quotes, link, withNames }: WebhookFacts): string {
  const { type, site, at, materialId, versionId, decision, reason, by, release, target, code } = news
  return JSON.stringify({
    type,
    timestamp: at,
    data: {
      site,
      ...(materialId !== undefined && { material_id: materialId, title }),
      ...(versionId !== undefined && { version_id: versionId, number }),
      ...(decision !== undefined && { decision, reason, quotes, ...(link !== null && { link }) }),
      ...(by !== undefined && withNames && { by }),
      ...(release !== undefined && { release, target }),
      ...(code !== undefined && { code }),
    },
  })
}

/** A message without a person who has decided. */
export function withoutDeciderIn(body: string, person: Decider): string {
  const { data, ...message } = JSON.parse(body) as { readonly data: Readonly<Record<string, unknown>> }
  const without = (name: 'by' | 'reason') => {
    const text = data[name]
    return typeof text === 'string' && { [name]: withoutDecider(text, person) }
  }
  return JSON.stringify({ ...message, data: { ...data, ...without('by'), ...without('reason') } })
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
/** The waits before each attempt, in milliseconds, as Standard Webhooks recommends them. */
const waitsMs = [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

/**
 * The wait before the next attempt, in milliseconds; null: there is none. `random`, from 0 to 1, adds up to a tenth, so that
 * senders that failed together do not return together. `askedMs`: what the receiver has asked for.
 */
export function nextWaitMs(attempts: number, random: number, askedMs: number): number | null {
  const wait = waitsMs[attempts]
  return wait === undefined ? null : Math.max(Math.round(wait * (1 + random / 10)), askedMs)
}

/** `failed`: no further attempt follows by itself. */
export type WebhookDeliveryState = 'waiting' | 'delivered' | 'failed'

/** What was told to a webhook, or will be. `id` is its `webhook-id`. */
export interface WebhookDelivery {
  readonly id: string
  readonly site: SiteId
  readonly type: WebhookEvent | 'webhook.test'
  readonly materialId: MaterialId | null
  readonly at: string
  readonly state: WebhookDeliveryState
  readonly attempts: number
  /** Of the last attempt. */
  readonly lastAt: string | null
  readonly status: number | null
  /** Why the last attempt failed. */
  readonly cause: Cause | null
  /** When the next attempt is due. */
  readonly nextAt: string | null
}

/** What is set for a site, and what holds on this computer. */
export interface WebhookSetting {
  readonly url: string | null
  readonly events: readonly WebhookEvent[]
  readonly namesInWebhook: boolean
  /** `unconfirmed`: nobody has confirmed the URL here. `gone`: the receiver wants no more (status 410). */
  readonly state: 'off' | 'unconfirmed' | 'on' | 'gone'
  readonly hasSecret: boolean
  /** The private addresses that somebody has confirmed here. */
  readonly addresses: readonly string[]
  /** A private address that the last attempt met, and that nobody has confirmed. */
  readonly metAddress: string | null
  /** Why the last attempt failed; null: it did not. */
  readonly problem: Cause | null
}

/** A webhook that was set. `newSecret` is shown once; null: the secret is not new, or was entered. */
export interface SetWebhook {
  readonly setting: WebhookSetting
  readonly newSecret: string | null
}
