import { parseFault } from '../faults/parse-fault.ts'
import type { PendingFaults } from '../faults/pending-faults.ts'
import type { Reply } from '../http/exchange.ts'
import { jsonReply, refusal } from '../http/exchange.ts'
import { commandLimitBytes, readJsonBody } from '../http/json-body.ts'
import type { Route } from '../http/router.ts'

/**
 * `/_emulator/faults`: `POST` `{kind, times?, ms?, at_byte?}` orders a fault, `GET` lists pending ones, `DELETE` clears
 * them. All answer the pending faults. 400 for an unknown kind, listing the known ones.
 */
export function faultRoutes(faults: PendingFaults): readonly Route[] {
  const path = '/_emulator/faults'
  const pending = (): Reply => jsonReply(200, JSON.stringify(faults.list()))
  return [
    { method: 'GET', path, handle: pending },
    {
      method: 'POST',
      path,
      async handle(incoming) {
        const body = await readJsonBody(incoming, commandLimitBytes)
        if (!body.ok) return body.failure
        const fault = parseFault(body.value.value)
        if (!fault.ok) return refusal(400, 'invalid_request', `${fault.failure}.`)
        faults.add(fault.value)
        return pending()
      },
    },
    {
      method: 'DELETE',
      path,
      handle() {
        faults.clear()
        return pending()
      },
    },
  ]
}
