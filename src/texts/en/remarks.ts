import { remarkSentences } from '../../contract/domain/remark.ts'

/** Remarks about a stored save. */
export const remarks = remarkSentences
