import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { cause } from '@galley/wire'

import { ConnectionError } from './connection-error.ts'
import { bareHost } from './proxies.ts'

export interface TunnelOptions {
  readonly secureContext: () => SecureContext
  readonly timeoutMs: number
}

/** The value of `Proxy-Authorization` for the credentials in a proxy's URL; null: it has none. */
export function proxyAuthorization({ username, password }: URL): string | null {
  if (username === '' && password === '') return null
  const plain = `${decoded(username)}:${decoded(password)}`
  return `Basic ${Buffer.from(plain).toString('base64')}`
}

/** Passwords are often written into the variable without encoding their percent signs. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Why a proxy answered a request itself, with a status that is not that of a tunnel. Never contains its address. */
export const proxyRefusal = (status: number): ConnectionError =>
  new ConnectionError(status === 407 ? cause('proxy_credentials') : cause('proxy_refused', { name: status }))

/** Opens a connection to `host:port` through a proxy (CONNECT). Rejects with ConnectionError if the proxy does not make one. */
export function openTunnel(proxy: URL, target: string, { secureContext, timeoutMs }: TunnelOptions): Promise<Socket> {
  const authorization = proxyAuthorization(proxy)
  const isSecure = proxy.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const asking = (isSecure ? secureRequest : plainRequest)({
      method: 'CONNECT',
      host: bareHost(proxy.hostname),
      port: proxy.port || (isSecure ? 443 : 80),
      path: target,
      headers: { host: target, ...(authorization !== null && { 'proxy-authorization': authorization }) },
      agent: false,
      ...(isSecure && { secureContext: secureContext() }),
    })
    const limit = setTimeout(() => asking.destroy(new Error('The proxy is silent')), timeoutMs)
    const end = (): void => clearTimeout(limit)
    asking.once('error', () => {
      end()
      reject(new ConnectionError(cause('proxy_unreached')))
    })
    asking.once('response', (answer) => {
      end()
      answer.destroy()
      reject(proxyRefusal(answer.statusCode ?? 0))
    })
    asking.once('connect', (answer, socket, head) => {
      end()
      const { statusCode = 0 } = answer
      if (statusCode < 200 || statusCode > 299) {
        socket.on('error', () => undefined).destroy()
        return reject(proxyRefusal(statusCode))
      }
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    asking.end()
  })
}
