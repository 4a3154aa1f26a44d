import { z } from 'zod'

import { asks } from './call.ts'

export const clipboardCalls = {
  /** Copies a text to the clipboard. The page has no system permissions of its own. */
  copyText: asks(z.strictObject({ text: z.string().max(10_000_000) })).gives<null>(),
}
