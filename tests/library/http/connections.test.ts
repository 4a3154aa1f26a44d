import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'

import { createConnections } from '../../../packages/library/http/connections.ts'

/** Real sockets: the listener's ends of them. */
async function sockets() {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const clients: Socket[] = []
  onTestFinished(() => {
    for (const client of clients) client.destroy()
    server.close()
  })
  return async (): Promise<Socket> => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
    clients.push(client)
    const [socket] = (await once(server, 'connection')) as [Socket]
    return socket
  }
}

async function setUp(limit: number) {
  const aSocket = await sockets()
  const closed: string[] = []
  const connections = createConnections(limit, (address) => closed.push(address))
  const add = async (address: string): Promise<Socket> => {
    const socket = await aSocket()
    connections.add(socket, address)
    return socket
  }
  return { connections, closed, add }
}

test('when there are too many connections, the oldest idle one of the address with the most is closed', async () => {
  const { connections, closed, add } = await setUp(5)
  const rare = await add('rare')
  const many = [await add('many'), await add('many'), await add('many')]
  const other = await add('other')
  await add('new')
  expect([rare, ...many, other].map(({ destroyed }) => destroyed)).toEqual([false, true, false, false, false])
  expect([closed, connections.count()]).toEqual([['many'], 5])
})

test('idle connections are closed before readers, readers before unsigned callbacks, and signed callbacks never', async () => {
  const { connections, closed, add } = await setUp(4)
  const signed = await add('a')
  connections.begin(signed, 'a', 'callback')
  connections.markSigned(signed)
  connections.begin(await add('b'), 'b', 'callback')
  connections.begin(await add('c'), 'c', 'file')
  await add('d')
  for (let count = 0; count < 3; count++) {
    const socket = await add(`signed ${count}`)
    connections.begin(socket, `signed ${count}`, 'callback')
    connections.markSigned(socket)
  }
  expect(closed).toEqual(['d', 'c', 'b'])
  // All have signed callbacks, so for once there is no room.
  const late = await add('late')
  expect([late.destroyed, signed.destroyed, closed.at(-1), connections.count()]).toEqual([true, false, 'late', 4])
})

test('a connection counts for the caller behind the proxy, and is the newest again after its request is answered', async () => {
  const { connections, closed, add } = await setUp(3)
  const first = await add('proxy')
  const second = await add('proxy')
  connections.begin(first, 'caller', 'file')()
  await add('proxy')
  await add('new')
  expect([closed, first.destroyed, second.destroyed]).toEqual([['proxy'], false, true])
})

test('a connection with a signed callback may stay idle longer than others', async () => {
  const { connections, closed, add } = await setUp(2)
  const known = await add('known')
  const end = connections.begin(known, 'known', 'callback')
  connections.markSigned(known)
  end()
  await add('idle')
  await add('new')
  expect([closed, known.destroyed]).toEqual([['idle'], false])
})

test('connections that end make room', async () => {
  const { connections, closed, add } = await setUp(2)
  const gone = await add('a')
  await add('b')
  const ended = once(gone, 'close')
  gone.destroy()
  await ended
  await add('c')
  expect([closed, connections.count()]).toEqual([[], 2])
})
