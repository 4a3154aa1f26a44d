import type { Answer } from '@galley/library/records'
import { z } from 'zod'

import { asks, inVersion } from './call.ts'

export const reviewWindowCalls = {
  /** Opens a version in its own window, offline, optionally beside another version of the same material. */
  openReview: asks(inVersion.extend({ compareWith: z.string().nullable() })).gives<Answer<null>>(),
}
