import { serviceTime } from '../time/service-time.ts'
import type { Markup } from './markup.ts'
import { html } from './markup.ts'

/** The clock with its moves; past two weeks without use a session and its history are gone. */
export const clockForm = (nowMs: number): Markup =>
  html`<form method="post" action="/">
    <input type="hidden" name="do" value="clock" />
    <label>
      Now, as ISO 8601
      <input name="now" value="${serviceTime(nowMs)}" required autocomplete="off" spellcheck="false" size="30" />
    </label>
    <button>Move</button>
    <button name="days" value="1" formnovalidate>One day later</button>
    <button name="days" value="15" formnovalidate>15 days later</button>
    <button name="days" value="0" formnovalidate>Back to normal</button>
  </form>`
