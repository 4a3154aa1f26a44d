import { noHash } from '../records/changes.ts'

/** An entry and the place of its line: bytes `start` to `end` of the segment whose first position is `segment`. */
export interface LogMark {
  readonly position: number
  readonly hash: string
  readonly segment: number
  readonly start: number
  readonly end: number
}

/** Before the first entry. */
export const logStart: LogMark = { position: 0, hash: noHash, segment: 1, start: 0, end: 0 }
