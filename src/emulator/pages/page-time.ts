import type { Markup } from './markup.ts'
import { html } from './markup.ts'

/** A moment for people, to the minute unless told otherwise; machines find it to the millisecond. */
export function pageTime(ms: number, precision: 'minute' | 'second' = 'minute'): Markup {
  const iso = new Date(ms).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, precision === 'minute' ? 16 : 19)}</time>`
}
