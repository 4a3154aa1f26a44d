import { remarkSentences } from '../../contract/remark.ts'

/** What is remarked about a save that was stored. */
export const remarks = remarkSentences
