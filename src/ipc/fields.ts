import type { Answer } from '@galley/library/records'
import { recordKeys, settable, wantedVerdict } from '@galley/library/records'
import { z } from 'zod'

import { asks, siteId } from './call.ts'

const ofRecords = <Kind extends keyof typeof recordKeys, Set extends z.ZodType>(record: Kind, set: Set) =>
  z.strictObject({ record: z.literal(record), site: siteId, of: z.array(recordKeys[record]).max(20_000), set })

/** What a person sets on records. Main says who has decided, and when. */
const fieldsToSet = z.discriminatedUnion('record', [
  ofRecords('version', settable('version').extend({ verdict: wantedVerdict.optional() })),
  ofRecords('material', settable('material')),
  ofRecords('fontSet', settable('fontSet')),
])
type FieldsToSet = z.output<typeof fieldsToSet>
/** New values for records of one kind. */
export type FieldsToSetOf<Kind extends FieldsToSet['record']> = Extract<FieldsToSet, { record: Kind }>
export type MarksToSet = FieldsToSetOf<'version'>['set']

export const fieldCalls = {
  /**
   * Sets the same fields of these records; absent members stay unchanged. Unknown materials and font sets are left out. A new
   * slug moves a page. Fails with `address_taken`, `invalid_name`, `invalid_tag`, `unknown_material` and `unknown_version`.
   */
  setFields: asks(fieldsToSet).gives<Answer<null>>(),
}
