import type { SentCallback } from '../callbacks/sent-callbacks.ts'
import { outcomeState, pageTime, wideTable } from './elements.ts'
import type { Markup } from './markup.ts'
import { html, nothing } from './markup.ts'

const columns = ['Callback', 'Material', 'Event', 'Sent', 'Result', 'HTTP', 'Time', 'Answer', 'Repeat']

function answerOf({ end }: SentCallback): Markup {
  if (end === null) return nothing
  const { outcome, answer } = end
  if (answer === null || answer === '') return html`${outcome.message}`
  return html`<details>
    <summary>${outcome.message}</summary>
    <pre>${answer}</pre>
  </details>`
}

const requestOf = ({ event, url, payload }: SentCallback): Markup =>
  html`<details>
    <summary><code>${event}</code></summary>
    <pre>
POST ${url}

${payload()}</pre>
  </details>`

const sendAgain = (id: number): Markup =>
  html`<form method="post" action="/">
    <input type="hidden" name="do" value="send" />
    <input type="hidden" name="id" value="${id}" />
    <button aria-label="Send again: callback ${id}">Send again</button>
  </form>`

const row = (callback: SentCallback): Markup => {
  const { id, materialId, sentMs, againOf, end } = callback
  return html`<tr id="callback-${id}" data-ended="${end === null ? 'no' : 'yes'}">
    <th scope="row">${id}${againOf === null ? nothing : html`, repeats ${againOf}`}</th>
    <td>${materialId}</td>
    <td>${requestOf(callback)}</td>
    <td>${pageTime(sentMs, 'second')}</td>
    <td>${outcomeState(end?.outcome ?? null)}</td>
    <td>${end?.httpStatus ?? '–'}</td>
    <td>${end === null ? '–' : `${end.tookMs} ms`}</td>
    <td>${answerOf(callback)}</td>
    <td>${end === null ? nothing : sendAgain(id)}</td>
  </tr>`
}

/** The callbacks sent since the emulator started, each with a button to send it again. */
export const callbackTable = (callbacks: readonly SentCallback[]): Markup =>
  html`${wideTable('Table of callbacks', columns, callbacks.map(row), 'callback-rows')}
    <p class="none">No callbacks yet. Save in an editor to send one.</p>`
