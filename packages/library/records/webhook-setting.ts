import { reachOf } from '@galley/wire'

/** What a site can tell. */
export const webhookEvents = [
  'version.stored',
  'save.failed',
  'review.approved',
  'review.changes_requested',
  'site.published',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** Whether a text can be the URL of a webhook: https, or http on this computer, without a user name, password and fragment. */
export function isWebhookUrl(text: string): boolean {
  if (text.length > 2000 || !URL.canParse(text)) return false
  const { protocol, hostname, username, password, hash } = new URL(text)
  if (username !== '' || password !== '' || hash !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && reachOf(hostname) === 'machine')
}
