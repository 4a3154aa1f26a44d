import type { CallbackOutcome } from '../callbacks/outcome.ts'
import type { Markup } from './markup.ts'
import { html } from './markup.ts'

const words: Readonly<Record<CallbackOutcome['result'], readonly [tone: string, words: string]>> = {
  merged: ['good', 'Saved by the site'],
  rejected: ['bad', 'Refused by the site'],
  webhook_failed: ['bad', 'Not confirmed by the site'],
}

/** How a callback ended, as a dot and words; null while the site has not answered. */
export function outcomeState(outcome: CallbackOutcome | null): Markup {
  if (outcome === null) return html`<span class="state">The site has not answered</span>`
  const [tone, text] = words[outcome.result]
  return html`<span class="state ${tone}">${text}</span>`
}
