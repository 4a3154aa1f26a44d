import type { BrokenLink, BrokenReason } from '@galley/library/records'
import { forEachConcurrently, hostCause, httpClient, namesInnerHost } from '@galley/platform'
import type { Network } from '@galley/platform'
import type { Cause, HostReach } from '@galley/wire'
import { cause, isReached, reachOf } from '@galley/wire'
import type { Agent, Dispatcher } from 'undici'

import type { OutsideLink } from '../bundle/reference-check.ts'

const hostsAtOnce = 8
const redirectsAtMost = 5
const defaultTimeoutMs = 10_000

/** Statuses that sites send to unwanted or too frequent programs. They say nothing about the page. */
const refusals = new Set([401, 403, 405, 406, 407, 429, 451, 503, 999])

export interface OutsideCheck {
  readonly network: Network
  /** The network that the site's readers are in: readers of a site in a private network can reach private addresses. */
  readonly readers: HostReach
  readonly signal: AbortSignal
  readonly timeoutMs?: number
}

/**
 * Checks links to other sites: each address once, and one request at a time per host. Never connects to private
 * addresses for a public site, not by a redirect or a name that resolves to one. Does not read bodies.
 */
export async function checkOutside(links: readonly OutsideLink[], check: OutsideCheck): Promise<readonly BrokenLink[]> {
  const { network, readers, timeoutMs = defaultTimeoutMs } = check
  const connections = network.connections({ connectMs: timeoutMs }, readers === 'public' ? 'public' : 'anywhere')
  const agent = await connections.get()
  const byUrl = Map.groupBy(links, ({ url }) => withoutAnchor(url))
  const byHost = Map.groupBy(byUrl, ([url]) => new URL(url).host)
  const reasons = new Map<string, BrokenReason>()
  try {
    await forEachConcurrently(byHost.values(), hostsAtOnce, check.signal, async (urls) => {
      for (const [url] of urls) {
        check.signal.throwIfAborted()
        const reason = await problemOf(url, { ...check, timeoutMs }, agent)
        if (reason !== null) reasons.set(url, reason)
      }
    })
  } finally {
    await connections.destroy()
  }
  return links.flatMap(({ url, ...link }) => {
    const reason = reasons.get(withoutAnchor(url))
    return reason === undefined ? [] : [{ ...link, reason }]
  })
}

const withoutAnchor = (url: string): string => url.replace(/#.*$/s, '')

type Limits = OutsideCheck & { readonly timeoutMs: number }

/**
 * Why readers cannot open the page; null: they can, or the site does not say. Some sites answer HEAD requests wrongly.
 */
async function problemOf(url: string, limits: Limits, agent: Agent): Promise<BrokenReason | null> {
  const answer = await lastAnswer(url, 'HEAD', limits, agent)
  const isFine = typeof answer === 'number' && answer < 400
  const second = isFine ? answer : await lastAnswer(url, 'GET', limits, agent)
  if (typeof second !== 'number') return second
  return second < 400 || refusals.has(second) ? null : { code: 'outside_status', status: second }
}

/** The status after all redirects. */
async function lastAnswer(
  start: string,
  method: 'HEAD' | 'GET',
  { readers, signal, timeoutMs }: Limits,
  agent: Agent,
): Promise<number | BrokenReason> {
  const deadline = AbortSignal.timeout(timeoutMs)
  let url = start
  for (let redirects = 0; redirects <= redirectsAtMost; redirects++) {
    const { hostname } = new URL(url)
    const isInner = !isReached(reachOf(hostname), readers) || (readers === 'public' && namesInnerHost(hostname))
    if (isInner) return unreachable(cause('host_private'))
    const answer = await head(url, method, AbortSignal.any([signal, deadline]), agent)
    if ('code' in answer) {
      signal.throwIfAborted()
      return unreachable(deadline.aborted ? cause('host_late') : answer)
    }
    const { status, location } = answer
    if (status < 300 || status >= 400 || location === null) return status
    if (!URL.canParse(location, url)) return unreachable(cause('host_redirect'))
    const next = new URL(location, url)
    if (next.protocol !== 'http:' && next.protocol !== 'https:') return unreachable(cause('host_redirect'))
    url = next.href
  }
  return { code: 'outside_redirects' }
}

const unreachable = (why: Cause): BrokenReason => ({ code: 'outside_unreachable', why })

/** The status and redirect of a response, or why there is none. */
async function head(
  url: string,
  method: Dispatcher.HttpMethod,
  signal: AbortSignal,
  dispatcher: Agent,
): Promise<{ readonly status: number; readonly location: string | null } | Cause> {
  try {
    const { request } = await httpClient()
    const headers = { 'user-agent': 'Galley link check', accept: '*/*' }
    const { statusCode, headers: answered, body } = await request(url, { dispatcher, method, signal, headers })
    // Closing the body early causes an error that means nothing.
    body.on('error', () => undefined).destroy()
    const { location } = answered
    return { status: statusCode, location: typeof location === 'string' ? location : null }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return hostCause(error)
  }
}
