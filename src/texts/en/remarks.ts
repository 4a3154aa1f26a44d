import { remarkSentences } from '../../contract/remark.ts'

/** What is remarked about a save that was stored; in English it is stored with the save. */
export const remarks = remarkSentences
