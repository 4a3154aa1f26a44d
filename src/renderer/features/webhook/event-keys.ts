import type { WebhookDelivery } from '@galley/library/records'

/** The texts of what is told. Keys of texts contain no dots. */
export const eventKeys = {
  'version.stored': 'version_stored',
  'save.failed': 'save_failed',
  'review.approved': 'review_approved',
  'review.changes_requested': 'review_changes_requested',
  'site.published': 'site_published',
  'webhook.test': 'webhook_test',
} as const satisfies Readonly<Record<WebhookDelivery['type'], string>>
