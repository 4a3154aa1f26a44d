import type { Command } from '../commands/commands.ts'

const actions = [
  'nextChange',
  'previousChange',
  'older',
  'newer',
  'other',
  'phone',
  'tablet',
  'desktop',
  'sync',
  'unified',
] as const

/** What review windows can do by their own keys: listed here so that the keys can be seen and changed, run only there. */
export const reviewKeys: readonly Command[] = actions.map((action) => ({
  id: `review.${action}`,
  group: 'review',
  title: (t) => t(`review:commands.${action}`),
  isAvailable: () => false,
  run: () => undefined,
}))
