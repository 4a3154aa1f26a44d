import { parseFault } from '../faults/parse-fault.ts'
import type { Incoming, Reply } from '../http/exchange.ts'
import { refusal } from '../http/exchange.ts'
import { commandLimitBytes } from '../http/json-body.ts'
import type { Route } from '../http/router.ts'
import type { StartPagePorts } from '../pages/start-page.ts'
import { startPage } from '../pages/start-page.ts'
import { startPolicy } from '../pages/start-style.ts'
import { parseMoment } from '../time/moments.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A numeric form field; an empty one is undefined, and invalid text is left for the parser to refuse. */
function figure(fields: URLSearchParams, name: string): unknown {
  const text = fields.get(name)?.trim() ?? ''
  return text === '' ? undefined : /^\d+$/.test(text) ? Number(text) : text
}

/** `/`: the start page and its forms, which work without JavaScript and redirect back to the page. */
export function startPageRoutes(ports: StartPagePorts): readonly Route[] {
  const { clock, faults, sent } = ports

  const page = (status: number, problem: string | null): Reply => ({
    status,
    contentType: 'text/html; charset=utf-8',
    body: startPage(ports, problem),
    headers: { 'Content-Security-Policy': startPolicy, 'Referrer-Policy': 'same-origin' },
  })

  const backTo = (section: string): Reply => ({
    status: 303,
    contentType: 'text/plain; charset=utf-8',
    body: '',
    headers: { Location: `/#${section}` },
  })

  function order(fields: URLSearchParams): Reply {
    const [times, ms, atByte] = ['times', 'ms', 'at_byte'].map((name) => figure(fields, name))
    const fault = parseFault({ kind: fields.get('kind'), times, ms, at_byte: atByte })
    if (!fault.ok) return page(400, `No fault was scheduled: ${fault.failure}.`)
    faults.add(fault.value)
    return backTo('faults')
  }

  function moveClock(fields: URLSearchParams): Reply {
    const [days = null] = /^\d{1,3}$/.exec(fields.get('days') ?? '') ?? []
    const ms = days === null ? parseMoment(fields.get('now') ?? '') : clock.nowMs() + Number(days) * dayMs
    if (ms === null) return page(400, 'The clock was not changed: enter a time such as 2026-01-31T12:00:00Z.')
    if (Number(days ?? 1) === 0) clock.reset()
    else clock.moveTo(ms)
    return backTo('clock')
  }

  async function sendAgain(fields: URLSearchParams): Promise<Reply> {
    const report = await sent.sendAgain(Number(fields.get('id')))
    if (report === null)
      return page(404, 'Nothing was sent: the callback is no longer listed, or its version was deleted.')
    return backTo('callbacks')
  }

  async function take(incoming: Incoming): Promise<Reply> {
    const bytes = await incoming.readBody(commandLimitBytes)
    if (bytes === null) return refusal(413, 'too_large', `The form is larger than ${commandLimitBytes} bytes.`)
    const fields = new URLSearchParams(bytes.toString('utf8'))
    switch (fields.get('do') ?? '') {
      case 'fault':
        return order(fields)
      case 'clock':
        return moveClock(fields)
      case 'send':
        return sendAgain(fields)
      case 'clear':
        faults.clear()
        return backTo('faults')
      default:
        return page(400, 'Unknown form.')
    }
  }

  return [
    { method: 'GET', path: '/', handle: () => page(200, null) },
    { method: 'POST', path: '/', handle: take },
  ]
}
