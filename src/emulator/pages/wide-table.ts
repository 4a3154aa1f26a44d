import type { Markup } from './markup.ts'
import { html, nothing } from './markup.ts'

/** A table that scrolls sideways, also by keyboard, where the window is narrower than it. */
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
