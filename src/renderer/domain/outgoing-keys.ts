import type { Outgoing } from '../../contract/domain/outgoing.ts'

/** The keys of the texts about each rule for outgoing versions. */
export const outgoingKeys = {
  all: 'all',
  'not-rejected': 'notRejected',
  approved: 'approved',
} as const satisfies Record<Outgoing, string>
