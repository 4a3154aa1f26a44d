import type { IncomingHttpHeaders } from 'node:http'

import type { ShownHeader } from '../../../contract/ipc/callbacks.ts'

/** Headers whose values say nothing about a person and prove nothing. */
const harmless = new Set(
  'host,content-type,content-length,content-encoding,transfer-encoding,user-agent,accept,accept-encoding,connection,date,x-request-id,traceparent'.split(
    ',',
  ),
)
/** Enough of a request to recognise its sender, not enough to fill a disk. */
const namesAtMost = 40
const charsAtMost = 200

/** The headers as the log may keep them: all names, and the values of the few that are harmless. */
export const shownHeaders = (headers: IncomingHttpHeaders): readonly ShownHeader[] =>
  Object.entries(headers)
    .slice(0, namesAtMost)
    .map(([name, value]) => ({
      name: name.slice(0, charsAtMost),
      value: harmless.has(name) ? String(value).slice(0, charsAtMost) : null,
    }))
