import type { CallbackOutcome } from '../callbacks/outcome.ts'
import type { Markup } from './markup.ts'
import { html, nothing } from './markup.ts'

/** A table that scrolls horizontally in narrow windows, also by keyboard. */
export const wideTable = (label: string, columns: readonly string[], rows: readonly Markup[], id = ''): Markup =>
  html`<div class="wide" role="region" aria-label="${label}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody ${id === '' ? nothing : html`id="${id}"`}>
        ${rows}
      </tbody>
    </table>
  </div>`

/** A time, to the minute by default; the `datetime` attribute has milliseconds. */
export function pageTime(ms: number, precision: 'minute' | 'second' = 'minute'): Markup {
  const iso = new Date(ms).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, precision === 'minute' ? 16 : 19)}</time>`
}

const words: Readonly<Record<CallbackOutcome['result'], readonly [tone: string, words: string]>> = {
  merged: ['good', 'Saved'],
  rejected: ['bad', 'Rejected by the site'],
  webhook_failed: ['bad', 'Not confirmed by the site'],
}

/** The result of a callback, as a dot and text; null until the site has answered. */
export function outcomeState(outcome: CallbackOutcome | null): Markup {
  if (outcome === null) return html`<span class="state">No response yet</span>`
  const [tone, text] = words[outcome.result]
  return html`<span class="state ${tone}">${text}</span>`
}
