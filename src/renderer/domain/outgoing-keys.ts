import type { Outgoing } from '@galley/library/records'

/** The keys of the texts about each rule for outgoing versions. */
export const outgoingKeys = {
  all: 'all',
  'not-rejected': 'notRejected',
  approved: 'approved',
} as const satisfies Record<Outgoing, string>
