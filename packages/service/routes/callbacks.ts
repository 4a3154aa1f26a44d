import type { SentCallbacks } from '../callbacks/sent-callbacks.ts'
import { jsonReply } from '../http/exchange.ts'
import type { Route } from '../http/router.ts'
import { serviceTime } from '../time/moments.ts'
import { callbackGone } from './refusals.ts'

/**
 * `GET /_emulator/callbacks` lists the last hundred callbacks since the start, newest first; `POST
 * /_emulator/callbacks/<id>/send` sends one again and answers like the save and fonts commands.
 */
export const callbackRoutes = (sent: SentCallbacks): readonly Route[] => [
  {
    method: 'GET',
    path: '/_emulator/callbacks',
    handle() {
      const list = sent.list().map(({ id, event, materialId, url, payload, sentMs, againOf, end }) => ({
        id,
        event,
        material_id: materialId,
        url,
        payload: payload(),
        sent_at: serviceTime(sentMs),
        again_of: againOf,
        ms: end?.tookMs ?? null,
        http_status: end?.httpStatus ?? null,
        answer: end?.answer ?? null,
        result: end?.outcome.result ?? null,
        error: end?.outcome.error ?? null,
        message: end?.outcome.message ?? null,
      }))
      return jsonReply(200, JSON.stringify(list))
    },
  },
  {
    method: 'POST',
    path: '/_emulator/callbacks/:id/send',
    async handle(_incoming, id = '') {
      const report = await sent.sendAgain(Number(id))
      return report === null ? callbackGone : jsonReply(200, report)
    },
  },
]
