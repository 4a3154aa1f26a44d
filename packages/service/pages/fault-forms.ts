import type { Fault } from '../faults/fault.ts'
import { faultKinds } from '../faults/fault.ts'
import type { Markup } from './markup.ts'
import { html } from './markup.ts'

const figures = ({ ms, at_byte: atByte }: Fault): string =>
  [ms === undefined ? '' : `, ${ms} ms`, atByte === undefined ? '' : `, at byte ${atByte}`].join('')

function pendingFaults(pending: readonly Fault[]): Markup {
  if (pending.length === 0) return html`<p>No faults scheduled.</p>`
  const items = pending.map(
    (fault) =>
      html`<li>
        <strong>${fault.kind}</strong> ${fault.times === 1 ? 'once' : `${fault.times} times`}${figures(fault)}:
        ${faultKinds[fault.kind]}
      </li>`,
  )
  return html`<ul>
      ${items}
    </ul>
    <form method="post" action="/">
      <input type="hidden" name="do" value="clear" />
      <button>Clear all</button>
    </form>`
}

/** The pending faults, and a form to order more. */
export function faultForms(pending: readonly Fault[]): Markup {
  const options = Object.entries(faultKinds).map(
    ([kind, words]) => html`<option value="${kind}">${kind}: ${words}</option>`,
  )
  return html`${pendingFaults(pending)}
    <form method="post" action="/">
      <input type="hidden" name="do" value="fault" />
      <label>
        Fault
        <select name="kind">
          ${options}
        </select>
      </label>
      <label>Times <input name="times" type="number" min="1" max="10000" value="1" required /></label>
      <label>Milliseconds <input name="ms" type="number" min="0" max="120000" placeholder="default" /></label>
      <label>At byte <input name="at_byte" type="number" min="0" placeholder="default" /></label>
      <button>Schedule</button>
    </form>`
}
