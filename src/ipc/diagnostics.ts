import type { Answer } from '@galley/library/records'
import { z } from 'zod'

import type { Inputs } from './problem.ts'

/** An error in a page: where it was caught, and its position as `describeFault` formats it. */
export const pageFault = z.strictObject({
  caughtBy: z.enum(['pane', 'window', 'promise']),
  place: z.string().max(4_000),
})
export type PageFault = z.infer<typeof pageFault>

export interface DiagnosticsCalls {
  /** Writes an error of the page to the log. */
  reportFault: { input: PageFault; output: null }
  /** Shows the log folder in the file manager. */
  openLogFolder: { input: undefined; output: Answer<null> }
  /** Copies versions, the state of the library and the latest log lines to the clipboard, without secrets. */
  copyDiagnostics: { input: undefined; output: null }
}

export const diagnosticsInputs: Inputs<DiagnosticsCalls> = {
  reportFault: pageFault,
  openLogFolder: z.undefined(),
  copyDiagnostics: z.undefined(),
}
