import { z } from 'zod'

import type { Answer, Inputs } from './problem.ts'

/** A fault of a page: where it was caught, and what `faultPlace` says of it. */
const pageFault = z.strictObject({
  caughtBy: z.enum(['pane', 'window', 'promise']),
  place: z.string().max(4_000),
})
export type PageFault = z.infer<typeof pageFault>

export interface DiagnosticsCalls {
  /** Writes a fault of the page to the log. */
  reportFault: { input: PageFault; output: null }
  /** Shows the log in the system's file browser. */
  openLogFolder: { input: undefined; output: Answer<null> }
  /** Puts versions, the state of the library and the newest lines of the log on the clipboard; none of it is secret. */
  copyDiagnostics: { input: undefined; output: null }
}

export const diagnosticsInputs: Inputs<DiagnosticsCalls> = {
  reportFault: pageFault,
  openLogFolder: z.undefined(),
  copyDiagnostics: z.undefined(),
}
