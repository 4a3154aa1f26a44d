import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** A new random secret, in the form in which receivers enter it. */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`

/** The headers of a message as Standard Webhooks has them. `at`: the moment of this attempt. */
export function webhookHeaders(secret: string, id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
