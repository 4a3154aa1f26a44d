import { isIP } from 'node:net'
import type { Network } from '@galley/platform'
import type { Result, SiteId } from '@galley/wire'
import { cause, fail, ok } from '@galley/wire'

import type { ChangeFeed } from '../changes.ts'
import type { IndexWith } from '../db/library-index.ts'
import type { ConfirmedWebhook } from '../db/webhook/confirmed-webhooks.ts'
import type { ClaimedDelivery } from '../db/webhook/webhook-deliveries.ts'
import { initialValues } from '../records/field.ts'
import { fields as allFields } from '../records/fields.ts'
import { isWebhookUrl } from '../records/webhook-setting.ts'
import type { SetWebhook, WebhookDelivery, WebhookSetting } from '../records/webhook.ts'
import { nextWaitMs, webhookSecret } from '../records/webhook.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'
import { attempt } from './attempt.ts'
import { newWebhookSecret, webhookHeaders } from './signature.ts'

export interface WebhookPorts {
  readonly index: IndexWith<'commit' | 'fields' | 'followTeam' | 'webhooks'>
  readonly secrets: SiteSecrets
  readonly network: Network
  readonly changes: Pick<ChangeFeed, 'changed' | 'watch'>
  readonly now: () => Date
  readonly log: (line: string) => void
  /** From 0 to 1. */
  readonly random?: () => number
  readonly timeoutMs?: number | undefined
}

/** What to set. Absent members stay as they are; `secret` null keeps the stored one, or makes one for a new URL. */
export interface WebhookChange extends Partial<Pick<WebhookSetting, 'url' | 'events' | 'namesInWebhook'>> {
  readonly secret?: string | null | undefined
  /** A private address that a person confirms for the URL. */
  readonly address?: string | undefined
}

/** Why a webhook could not be set. */
export type WebhookFailure =
  | { readonly code: 'invalid_webhook_url'; readonly field: 'url' }
  | {
      readonly code: 'invalid_webhook_secret' | 'webhook_secret_needed' | 'secrets_read_only'
      readonly field: 'secret'
    }
  | { readonly code: 'invalid_webhook_address'; readonly field: 'address' }
  | {
      readonly code: 'secrets_unavailable'
      readonly field: 'secret'
      readonly state: 'webhook_locked' | 'webhook_unavailable'
    }

const siteFields = allFields.site
const defaultTimeoutMs = 10_000
/** Longer than an attempt can take. */
const heldForMs = 60_000
const lookAtLeastEveryMs = 60_000
const busyWaitMs = 1000

/** What sites tell to webhooks: their settings, and the sending of what is queued. */
export function createWebhooks(ports: WebhookPorts) {
  const { index, changes, now } = ports
  const settings = webhookSettings(ports)
  const closing = new AbortController()
  const sendOnce = sender(ports, settings, closing.signal)
  const inFlight = new Set<Promise<void>>()
  let running: Promise<void> | null = null

  function send(claimed: ClaimedDelivery): Promise<void> {
    const sending = sendOnce(claimed).finally(() => inFlight.delete(sending))
    inFlight.add(sending)
    return sending
  }

  async function sendOf(site: SiteId): Promise<void> {
    while (!closing.signal.aborted) {
      const nowMs = now().getTime()
      const claimed = settings.isOn(site) ? index.webhooks.claim(site, null, nowMs, nowMs + heldForMs) : null
      if (claimed === null) return
      await send(claimed)
    }
  }

  /** Sends what is due, one message at a time to each site, until nothing is due any more. */
  const sendDue = (): Promise<void> =>
    (running ??= Promise.all(index.webhooks.due().map(({ site }) => sendOf(site)))
      .then(() => undefined)
      .finally(() => (running = null)))

  /** Makes one attempt at once. Returns the delivery; null: there is none. */
  async function sendNow(id: string): Promise<WebhookDelivery | null> {
    const found = index.webhooks.find(id)
    if (found === null) return null
    const nowMs = now().getTime()
    index.webhooks.again(id, nowMs)
    const claimed = settings.isOn(found.site) ? index.webhooks.claim(found.site, id, nowMs, nowMs + heldForMs) : null
    if (claimed !== null) await send(claimed)
    return index.webhooks.find(id)
  }

  return {
    of: settings.of,
    set: settings.set,
    problem: settings.problem,
    sendDue,
    /** Sends a delivery again, with its id and a new series of attempts. */
    resend: sendNow,
    /** Sends a message that tells nothing. */
    test: (site: SiteId): Promise<WebhookDelivery | null> => sendNow(index.webhooks.test(site, now().toISOString())),
    /** Sends what is due, from now on, until the returned function is called. */
    start(): () => void {
      let timer: NodeJS.Timeout | undefined
      let isStopped = false
      function look(atLeastMs: number): void {
        clearTimeout(timer)
        if (isStopped) return
        const nowMs = now().getTime()
        const due = index.webhooks.due().flatMap(({ site, dueMs }) => (settings.isOn(site) ? [dueMs - nowMs] : []))
        timer = setTimeout(wake, Math.max(Math.min(lookAtLeastEveryMs, ...due), atLeastMs))
        timer.unref()
      }
      function wake(): void {
        sendDue().then(
          () => look(busyWaitMs),
          (error: unknown) => {
            if (isStopped) return
            ports.log(`webhooks could not be sent: ${error instanceof Error ? error.name : 'unknown'}`)
            look(lookAtLeastEveryMs)
          },
        )
      }
      const unwatch = changes.watch(() => look(0))
      look(0)
      return () => {
        isStopped = true
        clearTimeout(timer)
        unwatch()
      }
    },
    /** Ends what is being sent. It is sent again at the next start, with its id. */
    async close(): Promise<void> {
      closing.abort()
      await Promise.allSettled(inFlight)
      await running?.catch(() => undefined)
    },
  }
}

export type Webhooks = ReturnType<typeof createWebhooks>

/** Sends a claimed delivery once, and notes how that ended. */
function sender(
  { index, secrets, network, changes, now, random = Math.random, timeoutMs = defaultTimeoutMs }: WebhookPorts,
  settings: ReturnType<typeof webhookSettings>,
  signal: AbortSignal,
) {
  const { webhooks } = index

  async function answerTo({ id, site, body }: ClaimedDelivery, { url, addresses }: ConfirmedWebhook) {
    const secret = await secrets.webhookSecret(site)
    if (!secret.ok) return { status: null, cause: cause(secretCauses[secret.failure]), waitMs: 0 }
    if (!webhookSecret.safeParse(secret.value).success)
      return { status: null, cause: cause('webhook_secret_missing'), waitMs: 0 }
    const headers = webhookHeaders(secret.value, id, now(), body)
    return attempt({ url, addresses, headers, body }, { network, timeoutMs, signal })
  }

  return async (claimed: ClaimedDelivery): Promise<void> => {
    const { id, site, attempts } = claimed
    const here = webhooks.confirmed.of(site)
    if (here === null) return webhooks.release(id)
    try {
      const answer = await answerTo(claimed, here)
      const at = now()
      const isGone = answer.cause?.code === 'webhook_gone'
      const waitMs = answer.cause === null || isGone ? null : nextWaitMs(attempts + 1, random(), answer.waitMs)
      webhooks.end(id, { ...answer, at, dueMs: waitMs === null ? null : at.getTime() + waitMs })
      if (answer.waitMs > 0) webhooks.postpone(site, at.getTime() + answer.waitMs)
      if (isGone) settings.gone(site, here)
      changes.changed({ subjects: ['callbacks', 'sites'] })
    } catch (error) {
      webhooks.release(id)
      if (!signal.aborted) throw error
    }
  }
}

const secretCauses = {
  missing: 'webhook_secret_missing',
  changed: 'webhook_secret_missing',
  locked: 'webhook_secret_locked',
  unavailable: 'webhook_secret_unavailable',
} as const

/** The settings of webhooks, and what is confirmed here. */
function webhookSettings(ports: WebhookPorts) {
  const { index, secrets, now } = ports
  const { webhooks, fields } = index
  const { confirmed } = webhooks
  const valuesOf = (site: SiteId) => fields.of('site', site, {}) ?? initialValues(siteFields)

  function stateOf(site: SiteId): WebhookSetting['state'] {
    const url = index.sites.find(site) === null ? null : valuesOf(site).webhookUrl
    if (url === null) return 'off'
    const here = confirmed.of(site)
    if (here?.url !== url) return 'unconfirmed'
    return here.isGone ? 'gone' : 'on'
  }

  /** Why the last attempt since the confirmation failed; null: it did not. */
  function problem(site: SiteId) {
    const state = stateOf(site)
    const last = state === 'on' || state === 'gone' ? webhooks.last(site) : null
    return last !== null && (last.lastAt ?? '') > (confirmed.of(site)?.since ?? '') ? last.cause : null
  }

  async function of(site: SiteId): Promise<WebhookSetting> {
    const { webhookUrl, webhookEvents, namesInWebhook } = valuesOf(site)
    const met = problem(site)
    return {
      url: webhookUrl,
      events: webhookEvents,
      namesInWebhook,
      state: stateOf(site),
      hasSecret: (await secrets.webhookSecret(site)).ok,
      addresses: confirmed.of(site)?.addresses ?? [],
      metAddress: met?.code === 'webhook_private' ? String(met.name) : null,
      problem: met,
    }
  }

  /** A person has confirmed the URL on this computer, and perhaps a private address to which its host name leads. */
  function confirm(site: SiteId, url: string, address: string | undefined): void {
    const here = confirmed.of(site)
    const known = here?.url === url ? here.addresses : []
    const addresses = [...new Set([...known, ...(address === undefined ? [] : [address])])]
    confirmed.put(site, { url, addresses, isGone: false, since: now().toISOString() })
  }

  /**
   * Sets what is given, for all computers of a team. Confirms a given URL on this one, or an address for the URL: the caller
   * acts for a person.
   */
  async function set(site: SiteId, change: WebhookChange): Promise<Result<SetWebhook, WebhookFailure>> {
    const before = valuesOf(site).webhookUrl
    const url = change.url === undefined ? before : change.url
    const wrong = mistakeIn(change, secrets.writer !== null)
    if (wrong !== null) return fail(wrong)
    const isConfirming = change.url !== undefined || change.address !== undefined
    const secret = await secretFor(ports, site, change, { url: isConfirming ? url : null, isNew: url !== before })
    if (!secret.ok) return secret
    await index.commit.write(() =>
      fields.set('site', site, [{}], {
        webhookUrl: url,
        ...(change.events && { webhookEvents: change.events }),
        ...(change.namesInWebhook !== undefined && { namesInWebhook: change.namesInWebhook }),
      }),
    )
    if (url === null) {
      confirmed.forget(site)
      webhooks.giveUp(site, cause('webhook_off'))
      await secrets.writer?.setWebhookSecret(site, null)
      return ok({ setting: await of(site), newSecret: null })
    }
    const stored = secret.value === null ? ok(null) : await secrets.writer?.setWebhookSecret(site, secret.value)
    if (stored?.ok === false)
      return fail({ code: 'secrets_unavailable', field: 'secret', state: `webhook_${stored.failure}` })
    if (isConfirming) confirm(site, url, change.address)
    return ok({ setting: await of(site), newSecret: change.secret ? null : secret.value })
  }

  return {
    of,
    set,
    problem,
    isOn: (site: SiteId): boolean => stateOf(site) === 'on',
    /** The receiver wants no more. */
    gone(site: SiteId, here: ConfirmedWebhook): void {
      confirmed.put(site, { ...here, isGone: true })
      webhooks.giveUp(site, cause('webhook_gone'))
    },
  }
}

/** The secret to store; null: it stays. Another member of a team has the one of a URL that was set there. */
async function secretFor(
  { index, secrets }: WebhookPorts,
  site: SiteId,
  { secret }: WebhookChange,
  /** `url`: the one to confirm. */
  { url, isNew }: { readonly url: string | null; readonly isNew: boolean },
): Promise<Result<string | null, WebhookFailure>> {
  if (secret) return ok(secret)
  if (secrets.writer === null || url === null) return ok(null)
  const found = await secrets.webhookSecret(site)
  if (isNew) return ok(newWebhookSecret())
  if (found.ok || found.failure === 'locked' || found.failure === 'unavailable') return ok(null)
  return index.followTeam === null ? ok(newWebhookSecret()) : fail({ code: 'webhook_secret_needed', field: 'secret' })
}

function mistakeIn({ url, secret, address }: WebhookChange, hasWriter: boolean): WebhookFailure | null {
  if (typeof url === 'string' && !isWebhookUrl(url)) return { code: 'invalid_webhook_url', field: 'url' }
  if (secret && !webhookSecret.safeParse(secret).success) return { code: 'invalid_webhook_secret', field: 'secret' }
  if (secret && !hasWriter) return { code: 'secrets_read_only', field: 'secret' }
  if (address !== undefined && isIP(address) === 0) return { code: 'invalid_webhook_address', field: 'address' }
  return null
}
