import { remarkSentences } from '../../contract/domain/remark.ts'

/** What is remarked about a save that was stored. */
export const remarks = remarkSentences
