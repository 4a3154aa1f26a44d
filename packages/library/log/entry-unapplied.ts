import { systemCode } from '@galley/platform'

/** The entry is in the log of the team, and could not be applied here, for example because the disk is full. */
export class EntryUnappliedError extends Error {
  /** The code of the fault. */
  readonly code: string
  constructor(fault: unknown) {
    super('The bucket of the team has the entry, but it could not be applied here', { cause: fault })
    this.code = systemCode(fault) || 'EIO'
  }
}
