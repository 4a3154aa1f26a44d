import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'

import { describeBrokenReason } from '../../../packages/library/records/broken-link.ts'
import { createNetwork } from '../../../packages/platform/network/network.ts'
import { checkOutside } from '../../../packages/sites/linking/outside-links.ts'
import type { HostReach } from '../../../packages/wire/host-reach.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'

async function at(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
const answering = (listener: RequestListener): Promise<string> => at(createServer(listener))
const redirecting = (location: string) => answering((_, response) => void response.writeHead(302, { location }).end())

/** Why readers in the private network, or of a public site, cannot open this address. */
async function reasonOf(url: string, readers: HostReach = 'machine') {
  const link = { page: 'index.html', ref: url, url, place: { line: 1, column: 1, element: 'a[href]' } }
  const check = { network: createNetwork({}), readers, signal: new AbortController().signal, timeoutMs: 1000 }
  const [broken] = await checkOutside([link], check)
  if (broken === undefined) throw new Error('the link works')
  return broken.reason
}

async function closed(): Promise<string> {
  const server = createTcpServer()
  const url = await at(server)
  await new Promise((resolve) => server.close(resolve))
  return url
}

it.each([
  ['nothing listens', closed, 'host_refuses'],
  ['the connection is cut', () => answering((request) => void request.socket.destroy()), 'connection_cut'],
  [
    'the answer is not HTTP',
    () => at(createTcpServer((socket) => void socket.end('hello\r\n\r\n'))),
    'host_unreadable',
  ],
  ['the site never answers', () => answering(() => undefined), 'host_late'],
  ['it redirects to another scheme', () => redirecting('ftp://a.test/'), 'host_redirect'],
  ['it redirects to no address', () => redirecting('http://'), 'host_redirect'],
])('a broken link is told without error codes where %s', async (_, place, code) => {
  const reason = await reasonOf(await place())
  expect(reason).toMatchObject({ code: 'outside_unreachable', why: { code } })
  expect(describeBrokenReason(reason)).toMatch(
    /^the other site cannot be reached: [a-z ]+; correct or remove the link$/,
  )
})

it('names the private network where readers of a public site cannot go', async () => {
  const reason = await reasonOf(await closed(), 'public')
  expect(reason).toMatchObject({ code: 'outside_unreachable', why: { code: 'host_private' } })
})

it('has a text for the cause in both languages', () => {
  for (const language of ['en', 'ru'] as const) {
    const t = createTexts(language).getFixedT(language, 'exports')
    expect(t('findings.reasons.outside_unreachable', { why: 'WHY' })).toContain(': WHY.')
  }
})
