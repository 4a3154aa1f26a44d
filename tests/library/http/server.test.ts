import { on } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'

import { databaseFiles } from '../../../packages/library/db/database/open.ts'
import { listenFailureSentence } from '../../../packages/library/records/listener-state.ts'
import { aSave, createTestGalley, send, temporaryFolder } from '../../support/test-galley.ts'

/** One raw connection to the listener: what it received until it was closed, and after how long. */
function rawConnection(listener: string) {
  const { hostname, port } = new URL(listener)
  const socket: Socket = connect(Number(port), hostname)
  const start = performance.now()
  let said = ''
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')))
  socket.on('error', () => undefined)
  const closed = new Promise<{ said: string; afterMs: number }>((resolve) => {
    socket.on('close', () => resolve({ said, afterMs: performance.now() - start }))
  })
  onTestFinished(() => void socket.destroy())
  return { socket, closed }
}

const head = (length: number | string, more = ''): string =>
  `POST /callback/acme HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${
    typeof length === 'number' ? `Content-Length: ${length}\r\n` : length
  }${more}\r\n`

const status = (said: string): string => /^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? said

describe('slow clients', () => {
  it('get an error and are closed: headers and slow bodies after 5 s, any body after 15 s; saves are stored meanwhile', async () => {
    const { listener, service, know, post, galley } = await createTestGalley()
    await know('post-1')
    const slowHeaders = Array.from({ length: 60 }, () => rawConnection(listener))
    const slowBodies = Array.from({ length: 60 }, () => rawConnection(listener))
    const steadyBodies = Array.from({ length: 20 }, () => rawConnection(listener))
    const silent = Array.from({ length: 30 }, () => rawConnection(listener))
    for (const { socket } of slowHeaders) socket.write('POST /callback/acme HTTP/1.1\r\nHost: 127.0.0.1\r\n')
    for (const { socket } of slowBodies) socket.write(head(1000))
    for (const { socket } of steadyBodies) socket.write(head(1_000_000))
    const dribble = setInterval(() => {
      for (const { socket } of slowHeaders) if (socket.writable) socket.write('X-A: b\r\n')
      for (const { socket } of slowBodies) if (socket.writable) socket.write(' ')
      for (const { socket } of steadyBodies) if (socket.writable) socket.write(' '.repeat(1024))
    }, 250)
    onTestFinished(() => clearInterval(dribble))

    const save = aSave(service)
    expect((await post(save.body, save.headers)).json.rc).toBe(1)
    expect(steadyBodies.filter(({ socket }) => socket.closed)).toEqual([])

    for (const { said, afterMs } of await Promise.all([...slowHeaders, ...slowBodies].map(({ closed }) => closed))) {
      expect([status(said), said.includes('"code":"timeout"')]).toEqual(['408', true])
      expect(afterMs).toBeGreaterThan(4_500)
    }
    expect(steadyBodies.filter(({ socket }) => socket.closed)).toEqual([])
    for (const { said, afterMs } of await Promise.all(steadyBodies.map(({ closed }) => closed))) {
      expect([status(said), said.includes('"code":"timeout"')]).toEqual(['408', true])
      expect(afterMs).toBeGreaterThan(14_000)
    }
    await Promise.all(silent.map(({ closed }) => closed))
    expect(galley.index.versions.list('acme', 'post-1')).toHaveLength(1)
  })
})

it('answers a callback although the index cannot be read', async () => {
  const { folder, service, know, post } = await createTestGalley()
  await know('post-1')
  const db = new BetterSqlite3(databaseFiles(folder).index)
  db.exec('ALTER TABLE site RENAME TO lost')
  db.close()
  const save = aSave(service)
  const answer = await post(save.body, save.headers)
  expect([answer.status, answer.json]).toMatchObject([500, { rc: 0, code: 'storage_failed' }])
})

describe('bodies with a wrong length', () => {
  it('are refused before they are sent if they are declared too large', async () => {
    const { listener } = await createTestGalley()
    const { socket, closed } = rawConnection(listener)
    socket.write(`${head(1024 ** 3)}{"a":1}`)
    const { said } = await closed
    expect([status(said), said.includes('"code":"too_large"')]).toEqual(['413', true])
  })

  it('are cut at the declared length: the rest is no request, and the connection ends', async () => {
    const { listener, galley } = await createTestGalley()
    const { socket, closed } = rawConnection(listener)
    socket.write(`${head(10)}{"a":12345}and more and more\r\n\r\n`)
    const { said } = await closed
    const answers = said.split('HTTP/1.1 ').slice(1)
    expect(new Set(answers.map((answer) => answer.slice(0, 3)))).toEqual(new Set(['400']))
    expect(galley.index.callbacks.list({ site: null, outcome: 'stored', limit: 10 })).toEqual([])
  })

  for (const [name, headers] of [
    ['two ways of telling a length', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n'],
    ['a length that is no number', 'Content-Length: 2x\r\n'],
    ['a negative length', 'Content-Length: -2\r\n'],
    ['an encoding that nobody knows', 'Transfer-Encoding: xchunked\r\n'],
  ] as const) {
    it(`with ${name} are no HTTP`, async () => {
      const { listener } = await createTestGalley()
      const { socket, closed } = rawConnection(listener)
      socket.write(`${head(headers)}{}`)
      const { said } = await closed
      expect([status(said), said.includes('"rc":0'), said.includes('"code":"invalid_request"')]).toEqual([
        '400',
        true,
        true,
      ])
    })
  }
})

describe('connections without a request', () => {
  it.each([
    ['a tunnel', 'CONNECT example.test:443 HTTP/1.1\r\nHost: example.test\r\n\r\n', ''],
    ['an unknown expectation', head(2, 'Expect: a-miracle\r\n'), '400'],
    ['half a body', `${head(20)}{`, '400'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001', '400'],
    ['headers without end', `GET /health HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '400'],
    ['no host', 'GET /health HTTP/1.1\r\n\r\n', '400'],
  ])('%s ends with %j', async (_name, bytes, expected) => {
    const { listener } = await createTestGalley()
    const { socket, closed } = rawConnection(listener)
    socket.write(Buffer.from(bytes, 'latin1'))
    socket.end()
    const { said } = await closed
    expect(status(said)).toBe(expected)
  })
})

describe('many requests of one connection', () => {
  const reading = 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n'
  const unsigned = `${head(2)}{}`
  it.each([
    ['readers', `${reading}\r\n`.repeat(500)],
    ['unsigned callbacks', unsigned.repeat(500)],
    [
      'callbacks before an offer of another protocol',
      `${unsigned.repeat(16)}${reading}Connection: Upgrade\r\nUpgrade: x\r\n\r\n`,
    ],
    ['callbacks before a tunnel', `${unsigned.repeat(16)}CONNECT a.test:1 HTTP/1.1\r\nHost: a.test\r\n\r\n`],
  ])('%s, all at once: sixteen are answered, and the connection ends', async (_name, requests) => {
    const { listener } = await createTestGalley()
    const { socket, closed } = rawConnection(listener)
    socket.write(requests)
    const { said } = await closed
    expect(said.match(/HTTP\/1\.1 /g)).toHaveLength(16)
    expect(said.match(/connection: close/gi)).toHaveLength(1)
  })

  it('one after the other: the hundredth answer says that it is the last', async () => {
    const { listener } = await createTestGalley()
    const { socket, closed } = rawConnection(listener)
    const ask = (): void => void socket.write(`${reading}\r\n`)
    socket.on('data', ask)
    ask()
    const { said } = await closed
    expect(said.match(/HTTP\/1\.1 200/g)).toHaveLength(100)
    expect(said.match(/connection: close/gi)).toHaveLength(1)
  })

  it('saves of a client that does not wait for answers are stored, and answered in their order', async () => {
    const { listener, service, know, galley } = await createTestGalley()
    await know('post-1')
    const { socket, closed } = rawConnection(listener)
    const saves = Array.from({ length: 15 }, () => aSave(service))
    for (const { body, headers } of saves) {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`${head(Buffer.byteLength(body), lines.join(''))}${body}`)
    }
    socket.write(`${head(2, 'Connection: close\r\n')}{}`)
    const { said } = await closed
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual([...saves.map(() => 'HTTP/1.1 200'), 'HTTP/1.1 400'])
    expect(galley.index.versions.list('acme', 'post-1')).toHaveLength(15)
  })

  it.each([
    ['no request', 'no request\r\n\r\n', []],
    ['a request whose body is none', `${head('Transfer-Encoding: chunked\r\n')}zz\r\n`, ['HTTP/1.1 408']],
  ])('%s is not answered in place of a save before it', async (_name, after, more) => {
    const { listener, service, know, galley } = await createTestGalley()
    await know('post-1')
    const { socket, closed } = rawConnection(listener)
    const { body, headers } = aSave(service)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`${head(Buffer.byteLength(body), lines.join(''))}${body}${after}`)
    const { said } = await closed
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', ...more])
    expect(said).toMatch(/connection: close/i)
    expect(galley.index.versions.list('acme', 'post-1')).toHaveLength(1)
  })
})

describe('what HTTP libraries add to a request', () => {
  it.each([
    ['curl: the body waits for a 100 response', 'Expect: 100-continue', true],
    ['curl: nothing else', 'Connection: keep-alive', false],
    [
      'Java: an offer of HTTP/2',
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk',
      false,
    ],
    ['an offer of another protocol', 'Connection: Upgrade\r\nUpgrade: websocket', false],
  ])('%s: the save is stored', async (_name, added, waits) => {
    const { listener, service, know } = await createTestGalley()
    await know('post-1')
    const save = aSave(service)
    const { body } = save
    const { socket } = rawConnection(listener)
    const read = async (pattern: RegExp): Promise<string> => {
      let said = ''
      for await (const chunk of on(socket, 'data', { close: ['close'] })) {
        said += String(chunk)
        if (pattern.test(said)) return said
      }
      return said
    }
    const headers = Object.entries(save.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const first = read(waits ? /\r\n\r\n/ : /"rc":\d/)
    socket.write(head(Buffer.byteLength(body), `${headers.join('')}${added}\r\n`))
    if (waits) expect(await first).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    const answer = waits ? read(/"rc":\d/) : first
    socket.write(body)
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*"rc":1/)
  })

  it.each([
    ['a client that ends its side of the connection', '/callback/acme'],
    ['a proxy that sends the whole URL', 'http://127.0.0.1/callback/acme?from=proxy'],
  ])('%s: the save is stored and answered', async (_name, target) => {
    const { listener, service, know } = await createTestGalley()
    await know('post-1')
    const { body, headers } = aSave(service)
    const { socket, closed } = rawConnection(listener)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const whole = head(Buffer.byteLength(body), lines.join('')).replace('/callback/acme', target)
    socket.end(`${whole}${body}`)
    expect((await closed).said).toMatch(/^HTTP\/1\.1 200 [^]*"rc":1/)
  })
})

describe('the hosts of a request', () => {
  it('must be one: several are refused in any notation, since a proxy may have checked another one', async () => {
    const { listener, galley } = await createTestGalley()
    for (const hosts of [
      'Host: 127.0.0.1\r\nHost: evil.test\r\n',
      'Host: 127.0.0.1\r\nhOST: 127.0.0.1\r\n',
      'Host: 127.0.0.1, evil.test\r\n',
      'Host: evil.test,127.0.0.1\r\n',
    ]) {
      for (const request of ['GET /health', 'GET http://127.0.0.1/media/x/y', 'POST /callback/acme']) {
        const { socket, closed } = rawConnection(listener)
        const body = request.startsWith('POST') ? 'Content-Type: application/json\r\nContent-Length: 2\r\n' : ''
        socket.end(`${request} HTTP/1.1\r\n${hosts}${body}Connection: close\r\n\r\n${body && '{}'}`)
        const { said } = await closed
        expect([status(said), said.includes('"code":"invalid_request"')], `${request} ${hosts}`).toEqual(['400', true])
      }
    }
    const log = galley.index.callbacks.list({ site: null, outcome: null, limit: 10 })
    expect(new Set(log.map(({ code, outcome }) => `${code} ${outcome}`))).toEqual(new Set(['invalid_request rejected']))
    expect(log).toHaveLength(4)
  })

  it('are required: a callback without one is refused with a normal answer', async () => {
    const { listener } = await createTestGalley()
    for (const version of ['1.0', '1.1']) {
      const { socket, closed } = rawConnection(listener)
      const length = 'Content-Type: application/json\r\nContent-Length: 2\r\n'
      socket.end(`POST /callback/acme HTTP/${version}\r\n${length}Connection: close\r\n\r\n{}`)
      const { said } = await closed
      expect([status(said), said.includes('"rc":0'), said.includes('"code":"invalid_request"')]).toEqual([
        '400',
        true,
        true,
      ])
    }
  })

  it('must be those of the sites or of this machine; the port does not matter', async () => {
    const { listener } = await createTestGalley({
      site: { callbackUrl: 'https://Hooks.Example.test:8443/callback/acme', publicUrl: 'https://cdn.example.test' },
    })
    const ask = async (host: string) => (await send(`${listener}/health`, 'GET', null, { host })).status
    for (const host of [
      '127.0.0.1',
      '127.0.0.1:9',
      'localhost',
      'LOCALHOST:80',
      'hooks.example.test',
      'hooks.example.test:1',
      'cdn.example.test',
    ]) {
      expect(await ask(host), host).toBe(200)
    }
    for (const host of [
      'example.test',
      'x.hooks.example.test',
      'hooks.example.test.',
      'hooks.example.test.evil.test',
      'localhost.',
      '127.0.0.2',
      '0.0.0.0',
      '[::1]',
      'localhost@evil.test',
    ]) {
      expect(await ask(host), host).toBe(403)
    }
  })
})

describe('a port that is taken', () => {
  it('is a state with its reason, leaves the library free, and another port works', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', () => resolve()))
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as AddressInfo
    const { galley } = await createTestGalley({ listen: false, edges: { folder: await temporaryFolder() } })
    const failed = await galley.listener.start('127.0.0.1', port)
    expect(failed).toEqual({ kind: 'failed', code: 'EADDRINUSE', host: '127.0.0.1', port })
    expect(failed.kind === 'failed' && listenFailureSentence(failed)).toContain(`Port ${port} on 127.0.0.1 is in use`)
    expect(galley.listener.owner()).toBe(null)
    expect(await galley.listener.start('192.0.2.1', 0)).toMatchObject({
      kind: 'failed',
      host: '192.0.2.1',
    })
    expect(await galley.listener.start('127.0.0.1', 0)).toMatchObject({ kind: 'listening' })
    expect(galley.listener.owner()).toMatchObject({ processId: process.pid })
  })
})
