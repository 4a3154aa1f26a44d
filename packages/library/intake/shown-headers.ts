import type { IncomingHttpHeaders } from 'node:http'

import type { ShownHeader } from '../views/callbacks.ts'

/** Headers whose values are neither personal nor credentials. */
const harmless = new Set(
  'host,content-type,content-length,content-encoding,transfer-encoding,user-agent,accept,accept-encoding,connection,date,x-request-id,traceparent'.split(
    ',',
  ),
)
/** Enough to recognize the sender of a request, not enough to fill a disk. */
const namesAtMost = 40
const charsAtMost = 200

/** The headers for the log: all names, and the values of harmless ones. */
export const shownHeaders = (headers: IncomingHttpHeaders): readonly ShownHeader[] =>
  Object.entries(headers)
    .slice(0, namesAtMost)
    .map(([name, value]) => ({
      name: name.slice(0, charsAtMost),
      value: harmless.has(name) ? String(value).slice(0, charsAtMost) : null,
    }))
