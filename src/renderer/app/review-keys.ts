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

/** The review window's commands, listed here so that their shortcuts can be seen and changed. They run only there. */
export const reviewKeys: readonly Command[] = actions.map((action) => ({
  id: `review.${action}`,
  group: 'review',
  title: (t) => t(`review:commands.${action}`),
  isAvailable: () => false,
  run: () => undefined,
}))
