import type { IndexWith, WebhookChange, Webhooks } from '@galley/library'
import { isWebhookUrl } from '@galley/library/records'
import type { Site } from '@galley/library/records'
import { fail, ok } from '@galley/wire'
import type { SiteId } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { webhookCalls } from '../../../ipc/webhook.ts'
import type { Questions } from '../questions.ts'
import { notConfirmed } from './not-chosen.ts'
import { unknownSite } from './unknown.ts'

export interface WebhookHandlerPorts {
  readonly index: IndexWith<'webhooks'>
  readonly webhooks: Webhooks
}

interface WebhookHandlerEdges {
  readonly questions: Pick<Questions, 'mayTell'>
  readonly changed: () => void
}

/** How many deliveries a list shows, which are all that are kept of a site. */
const shownAtMost = 1000

/** Calls about what sites tell to webhooks. */
export function webhookHandlers(
  { index, webhooks }: WebhookHandlerPorts,
  { questions, changed }: WebhookHandlerEdges,
): HandlersOf<typeof webhookCalls> {
  const isKnown = (site: SiteId): boolean => index.sites.find(site) !== null

  /** Asks a person, unless nothing is sent to another place than before. */
  async function isAgreed(site: Site, { url, address }: WebhookChange): Promise<boolean> {
    const before = index.webhooks.confirmed.of(site.id)?.url ?? null
    const next = url ?? before
    if (next === null || url === null || !isWebhookUrl(next) || (next === before && address === undefined)) return true
    return questions.mayTell(site, before, next, address ?? null)
  }

  async function set(site: SiteId, change: WebhookChange) {
    const found = index.sites.find(site)
    if (found === null) return unknownSite(site)
    if (!(await isAgreed(found, change))) return notConfirmed
    const done = await webhooks.set(site, change)
    changed()
    return done
  }

  return {
    readWebhook: async ({ site }) => (isKnown(site) ? ok(await webhooks.of(site)) : unknownSite(site)),
    setWebhook: ({ site, ...change }) => set(site, change),
    confirmWebhookAddress: ({ site, address }) => set(site, { address }),
    async testWebhook({ site }) {
      const sent = isKnown(site) ? await webhooks.test(site) : null
      return sent === null ? unknownSite(site) : ok(sent)
    },
    webhookDeliveries: ({ site }) => index.webhooks.of(site, shownAtMost),
    async resendDelivery({ id }) {
      const sent = await webhooks.resend(id)
      return sent === null ? fail({ code: 'unknown_delivery' }) : ok(sent)
    },
  }
}
