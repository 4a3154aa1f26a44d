import type { Reply } from '../http/exchange.ts'
import { jsonReply, refusal } from '../http/exchange.ts'
import { commandLimitBytes, readJsonBody } from '../http/json-body.ts'
import type { Route } from '../http/router.ts'
import type { Clock } from '../time/clock.ts'
import { parseMoment, serviceTime } from '../time/moments.ts'

/**
 * `GET /_emulator/clock`, and `POST` `{now}` with an ISO 8601 time, which sets the running clock. Both answer `{now}`.
 */
export function clockRoutes(clock: Clock): readonly Route[] {
  const path = '/_emulator/clock'
  const shown = (): Reply => jsonReply(200, JSON.stringify({ now: serviceTime(clock.nowMs()) }))
  return [
    { method: 'GET', path, handle: shown },
    {
      method: 'POST',
      path,
      async handle(incoming) {
        const body = await readJsonBody(incoming, commandLimitBytes)
        if (!body.ok) return body.failure
        const { now } = body.value.value
        const ms = typeof now === 'string' ? parseMoment(now) : null
        if (ms === null) return refusal(400, 'invalid_request', 'now must be a time in ISO 8601.')
        clock.moveTo(ms)
        return shown()
      },
    },
  ]
}
