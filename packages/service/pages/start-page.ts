import type { SentCallback, SentCallbacks } from '../callbacks/sent-callbacks.ts'
import type { Fault } from '../faults/fault.ts'
import { faultKinds } from '../faults/fault.ts'
import type { PendingFaults } from '../faults/pending-faults.ts'
import type { Addresses } from '../http/addresses.ts'
import { keptUntilMs } from '../sessions/history.ts'
import type { ServiceSites } from '../sites/service-site.ts'
import type { Store } from '../store/open-store.ts'
import type { Session } from '../store/sessions.ts'
import type { Clock } from '../time/clock.ts'
import { serviceTime } from '../time/moments.ts'
import { outcomeState, pageTime, wideTable } from './elements.ts'
import { Markup, html, nothing } from './markup.ts'
import { startScript } from './start-script.ts'
import { startStyle } from './start-style.ts'

const shownLimit = 100

function lastSave({ versions }: Store, { sessionId, versionId }: Session): Markup {
  const version = versionId === null ? null : versions.get(sessionId, versionId)
  if (version === null) return html`Not saved yet`
  return outcomeState(version.outcome)
}

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
const callbackTable = (callbacks: readonly SentCallback[]): Markup =>
  html`${wideTable('Table of callbacks', columns, callbacks.map(row), 'callback-rows')}
    <p class="none">No callbacks yet. Save in an editor to send one.</p>`

/** The open sessions, last used first, with links to their editors. */
function sessionTable(store: Store, sites: ServiceSites, addresses: Addresses): Markup {
  const sessions = store.sessions.list(shownLimit)
  if (sessions.length === 0)
    return html`<p>No sessions yet. A site opens one with <code>POST /integration/session/open</code>.</p>`
  const rows = sessions.map(
    (session) =>
      html`<tr>
        <th scope="row"><a href="${addresses.editor(session.fingerprint)}">${session.materialId}</a></th>
        <td>${sites.get(session.apiKey)?.name ?? session.apiKey}</td>
        <td>${lastSave(store, session)}</td>
        <td>${pageTime(session.lastAccessMs)}</td>
        <td>${pageTime(keptUntilMs(session.lastAccessMs))}</td>
      </tr>`,
  )
  const more = store.sessions.count() - sessions.length
  return html`${wideTable('Table of sessions', ['Material', 'Site', 'Last save', 'Last used', 'Kept until'], rows)}
  ${more === 0 ? nothing : html`<p>And ${more} more, used less recently.</p>`}`
}

/** The CSP contains hashes of these exact texts, so no whitespace may be added. */
const styleTag = new Markup(`<style>${startStyle}</style>`)
const scriptTag = new Markup(`<script>${startScript}</script>`)

export interface StartPagePorts {
  readonly sites: ServiceSites
  readonly store: Store
  readonly addresses: Addresses
  readonly clock: Clock
  readonly faults: PendingFaults
  readonly sent: SentCallbacks
}

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
function faultForms(pending: readonly Fault[]): Markup {
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

/** The emulator's start page: sessions, callbacks, faults, clock and sites. */
export function startPage(ports: StartPagePorts, problem: string | null): string {
  const { sites, store, addresses, clock, faults, sent } = ports
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Galley emulator</title>
        <link rel="icon" href="data:," />
        ${styleTag}
      </head>
      <body>
        <header>
          <h1>Galley emulator</h1>
          <p>
            A local stand-in for the hosted layout editor. The base URL of its sites is <code>${addresses.base}</code>.
          </p>
          ${problem === null ? nothing : html`<p role="alert">${problem}</p>`}
        </header>
        <main>
          <section aria-labelledby="sessions">
            <h2 id="sessions">Sessions</h2>
            ${sessionTable(store, sites, addresses)}
          </section>
          <section aria-labelledby="callbacks">
            <h2 id="callbacks">Callbacks</h2>
            ${callbackTable(sent.list())}
          </section>
          <section aria-labelledby="faults">
            <h2 id="faults">Simulate faults</h2>
            ${faultForms(faults.list())}
          </section>
          <section aria-labelledby="clock">
            <h2 id="clock">Clock</h2>
            <p>Times are UTC. Sessions and their history are deleted after two weeks without use.</p>
            ${clockForm(clock.nowMs())}
          </section>
          <section aria-labelledby="sites">
            <h2 id="sites">Sites</h2>
            ${siteTable(sites)}
          </section>
        </main>
        ${scriptTag}
      </body>
    </html>`
  return page.text
}

/** The configured sites, without their secrets. */
function siteTable(sites: ServiceSites): Markup {
  const rows = Array.from(
    sites.values(),
    ({ name, environment, apiKey, allowedDomains, signatureHeader }) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td>${environment}</td>
        <td><code>${apiKey}</code></td>
        <td>${allowedDomains.length === 0 ? 'this computer only' : allowedDomains.join(', ')}</td>
        <td><code>${signatureHeader}</code></td>
      </tr>`,
  )
  return wideTable('Table of sites', ['Name', 'Environment', 'API key', 'Allowed domains', 'Signature header'], rows)
}

/** The form that moves the clock; a session that is unused for two weeks expires with its history. */
const clockForm = (nowMs: number): Markup =>
  html`<form method="post" action="/">
    <input type="hidden" name="do" value="clock" />
    <label>
      Now, as ISO 8601
      <input name="now" value="${serviceTime(nowMs)}" required autocomplete="off" spellcheck="false" size="30" />
    </label>
    <button>Set</button>
    <button name="days" value="1" formnovalidate>One day later</button>
    <button name="days" value="15" formnovalidate>15 days later</button>
    <button name="days" value="0" formnovalidate>Back to normal</button>
  </form>`
