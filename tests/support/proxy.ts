import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'

interface ProxyOptions {
  /** The hosts that it knows, such as those of a company, with the port of each on this computer. */
  readonly hosts?: Readonly<Record<string, number>>
  /** `user:password` that it asks for. */
  readonly login?: string
  /** The status with which it refuses tunnels. */
  readonly refuses?: number
}

/** An HTTP proxy on this computer: tunnels (CONNECT), and requests that name a whole URL. */
export async function startProxy({ hosts = {}, login, refuses }: ProxyOptions = {}) {
  const seen: string[] = []
  const open = new Set<Socket>()
  const expected = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`
  const statusFor = ({ headers }: IncomingMessage, host: string): number => {
    if (expected !== undefined && headers['proxy-authorization'] !== expected) return 407
    return hosts[host] === undefined ? 502 : 200
  }

  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    seen.push(`${incoming.method} ${incoming.url}`)
    const url = URL.parse(incoming.url ?? '')
    const status = statusFor(incoming, url?.hostname ?? '')
    if (url === null || status !== 200) return void response.writeHead(status).end('a page of the proxy')
    const { 'proxy-authorization': _login, ...headers } = incoming.headers
    const at = { host: '127.0.0.1', port: hosts[url.hostname], path: url.pathname + url.search }
    const onward = request({ ...at, method: incoming.method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
  })
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
  })
  server.on('connect', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    seen.push(`CONNECT ${incoming.url}`)
    const host = (incoming.url ?? '').replace(/:\d+$/, '')
    const status = refuses ?? statusFor(incoming, host)
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
    const onward = connect(hosts[host] ?? 0, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) onward.write(head)
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    /** Without credentials. */
    url: `http://${address}`,
    urlFor: (user: string, password: string) => `http://${user}:${password}@${address}`,
    /** Method and target of each request. */
    seen: seen as readonly string[],
    async close(): Promise<void> {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
