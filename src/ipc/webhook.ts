import type { Answer, SetWebhook, WebhookDelivery, WebhookSetting } from '@galley/library/records'
import { webhookEvents } from '@galley/library/records'
import { z } from 'zod'

import { asks, inSite } from './call.ts'

const url = z.string().max(2000)
const secret = z.string().max(200).nullable()

export const webhookCalls = {
  readWebhook: asks(inSite).gives<Answer<WebhookSetting>>(),
  /**
   * Sets the URL (null: none) for all computers of a team and confirms it on this one. `secret` null keeps the stored one,
   * or makes one for a new URL.
   */
  setWebhook: asks(
    inSite.extend({
      url: url.nullable(),
      events: z.array(z.enum(webhookEvents)),
      namesInWebhook: z.boolean(),
      secret,
    }),
  ).gives<Answer<SetWebhook>>(),
  /** A person confirms a private address to which the host name of the URL leads. */
  confirmWebhookAddress: asks(inSite.extend({ address: z.string().max(100) })).gives<Answer<SetWebhook>>(),
  /** Sends a message that tells nothing, and waits for its end. */
  testWebhook: asks(inSite).gives<Answer<WebhookDelivery>>(),
  /** What this computer tells to the webhook of a site, newest first. */
  webhookDeliveries: asks(inSite).gives<readonly WebhookDelivery[]>(),
  /** Sends a delivery again with its id, and waits for its end. */
  resendDelivery: asks(z.strictObject({ id: z.string().max(100) })).gives<Answer<WebhookDelivery>>(),
}
