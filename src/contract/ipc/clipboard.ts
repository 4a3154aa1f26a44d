import { z } from 'zod'

import type { Inputs } from './problem.ts'

export interface ClipboardCalls {
  /** Puts a text on the clipboard: the page itself may ask the system for nothing. */
  copyText: { input: { text: string }; output: null }
}

export const clipboardInputs: Inputs<ClipboardCalls> = {
  copyText: z.strictObject({ text: z.string().max(10_000_000) }),
}
