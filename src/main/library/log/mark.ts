import { noHash } from '../../../contract/domain/changes.ts'

/** An entry and where its line is: bytes `start` to `end` of the segment whose first position is `segment`. */
export interface LogMark {
  readonly position: number
  readonly hash: string
  readonly segment: number
  readonly start: number
  readonly end: number
}

/** In front of the first entry. */
export const logStart: LogMark = { position: 0, hash: noHash, segment: 1, start: 0, end: 0 }
