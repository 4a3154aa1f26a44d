import { z } from 'zod'

import type { Inputs } from './problem.ts'

export interface ClipboardCalls {
  /** Copies a text to the clipboard. The page has no system permissions of its own. */
  copyText: { input: { text: string }; output: null }
}

export const clipboardInputs: Inputs<ClipboardCalls> = {
  copyText: z.strictObject({ text: z.string().max(10_000_000) }),
}
