import { remarkSentences } from '@galley/library/records'

/** Remarks about a stored save. */
export const remarks = remarkSentences
