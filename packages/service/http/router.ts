import { percentDecoded } from '@galley/wire'

import type { Incoming, Reply } from './exchange.ts'
import { refusal } from './exchange.ts'

/** A route. `:name` segments match any value and are passed decoded, in order. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly handle: (incoming: Incoming, ...segments: readonly string[]) => Reply | Promise<Reply>
}

/** The values of the `:name` segments, or null when the path does not match. */
function matchPath(pattern: string, path: string): readonly string[] | null {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return null
  const values: string[] = []
  for (const [index, segment] of given.entries()) {
    const expected = wanted[index] ?? ''
    if (!expected.startsWith(':')) {
      if (expected !== segment) return null
      continue
    }
    const value = percentDecoded(segment)
    if (value === null || value === '') return null
    values.push(value)
  }
  return values
}

/** Dispatches to the matching route; HEAD uses GET. 404 for an unknown path, 405 for a wrong method. */
export async function dispatch(routes: readonly Route[], incoming: Incoming, path: string): Promise<Reply> {
  const method = incoming.method === 'HEAD' ? 'GET' : incoming.method
  const allowed: string[] = []
  for (const route of routes) {
    const segments = matchPath(route.path, path)
    if (segments === null) continue
    if (route.method === method) return route.handle(incoming, ...segments)
    allowed.push(route.method === 'GET' ? 'GET, HEAD' : route.method)
  }
  if (allowed.length === 0) return refusal(404, 'not_found', 'There is nothing at this address.')
  const refused = refusal(405, 'method_not_allowed', `Only ${allowed.join(', ')} is supported here.`)
  return { ...refused, headers: { Allow: allowed.join(', ') } }
}
