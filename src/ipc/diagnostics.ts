import type { Answer } from '@galley/library/records'
import { z } from 'zod'

import { asks, nothing } from './call.ts'

/** An error in a page: where it was caught, and its position as `describeFault` formats it. */
export const pageFault = z.strictObject({
  caughtBy: z.enum(['pane', 'window', 'promise']),
  position: z.string().max(4_000),
})
export type PageFault = z.infer<typeof pageFault>

export const diagnosticsCalls = {
  /** Writes an error of the page to the log. */
  reportFault: asks(pageFault).gives<null>(),
  /** Shows the log folder in the file manager. */
  openLogFolder: asks(nothing).gives<Answer<null>>(),
  /** Versions, the state of the library and the latest log lines, without secrets. */
  readDiagnostics: asks(nothing).gives<string>(),
  /** Asks for a file and writes the same to it. null if the person cancels. */
  saveDiagnostics: asks(nothing).gives<Answer<string | null>>(),
  /** Copies versions, the state of the library and the latest log lines to the clipboard, without secrets. */
  copyDiagnostics: asks(nothing).gives<null>(),
}
