import type { ProxyOf } from '@galley/platform'
import { environmentProxies, systemProxy } from '@galley/platform'
import { session } from 'electron'

/**
 * The proxies in the settings of the system, as Chromium reads them. Those have no credentials: if the environment names the
 * same proxy, its credentials count.
 */
export function systemProxies(environment: Readonly<Record<string, string | undefined>>): ProxyOf {
  const named = environmentProxies({ ...environment, no_proxy: '', NO_PROXY: '' })
  return async (origin) => {
    const proxy = systemProxy(await session.defaultSession.resolveProxy(origin.href))
    const own = proxy && named && (await named(origin))
    return own?.host === proxy?.host ? (own ?? proxy) : proxy
  }
}
