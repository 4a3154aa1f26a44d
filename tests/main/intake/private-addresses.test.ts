import { lookup } from 'node:dns/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'

import { isInner, namesInnerHost, publicLookup } from '../../../src/main/intake/private-addresses.ts'
import { createTestGalley, signed } from '../../support/test-galley.ts'

const inner = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::FFFF:10.1.2.3',
  '::ffff:169.254.169.254',
  '0:0:0:0:0:ffff:c0a8:1',
  '64:ff9b::7f00:1',
  'fc00::1',
  'fdff:ffff::1',
  'fe80::1',
  'fe80::1%lo',
  'febf::1',
  'fec0::1',
]

const outer = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '2001:db8::1',
  '2606:4700::1111',
  '::ffff:1.1.1.1',
  '::ffff:808:808',
  'fbff::1',
]

describe('inner addresses', () => {
  it.each(inner)('%s is one', (address) => expect(isInner(address)).toBe(true))
  it.each(outer)('%s is none', (address) => expect(isInner(address)).toBe(false))
})

describe('a host that plainly names this machine or a private network', () => {
  it.each(['localhost', 'app.localhost', '127.0.0.1', '[::1]', '::1', '10.0.0.5', '[::ffff:7f00:1]', '[fe80::1]'])(
    '%s does',
    (host) => expect(namesInnerHost(host)).toBe(true),
  )
  it.each([
    'localhost.',
    'localhost.example.test',
    'mylocalhost',
    '127.0.0.1.example.test',
    '1.1.1.1',
    '[2001:db8::1]',
    'svc.test',
    '',
  ])('%j does not', (host) => expect(namesInnerHost(host)).toBe(false))
})

describe('the look-up for the outside', () => {
  const looked = (name: string, all: boolean) =>
    new Promise<unknown>((resolve) => {
      publicLookup(name, { all }, (error, address) => resolve(error ? error.code : address))
    })

  it('refuses a name that leads to this machine, asked for one address or for all', async () => {
    expect([await looked('localhost', true), await looked('localhost', false)]).toEqual([
      'EPRIVATEADDRESS',
      'EPRIVATEADDRESS',
    ])
  })

  it('gives on what the resolver says of a name that is not there', async () => {
    expect(await looked('no-such-host.invalid', true)).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/)
  })

  it('gives on addresses outside, in the form that was asked for', async () => {
    expect(await looked('1.1.1.1', true)).toEqual([{ address: '1.1.1.1', family: 4 }])
    expect(await looked('1.1.1.1', false)).toBe('1.1.1.1')
  })
})

/** A name other than localhost that the resolver of this machine leads to the machine itself. */
const ownName = await (async () => {
  for (const name of [hostname(), 'ip6-localhost', 'localhost.', 'localhost.localdomain']) {
    const found = await lookup(name, { all: true }).catch(() => [])
    const usable = URL.canParse(`http://${name}/`) && !namesInnerHost(new URL(`http://${name}/`).hostname)
    if (usable && found.length > 0 && found.every(({ address }) => isInner(address))) return name
  }
  return null
})()

describe.skipIf(ownName === null)('a download from a name that leads inside', () => {
  async function house(environment: 'dev' | 'prod') {
    let connections = 0
    const server = createServer((_request, response) => void response.writeHead(404).end())
    server.on('connection', () => (connections += 1))
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', () => resolve()))
    onTestFinished(() => void server.close())
    const baseUrl = `http://${ownName}:${(server.address() as AddressInfo).port}/integration`
    const house = await createTestGalley({ site: { environment, baseUrl, unknownMaterials: 'accept' } })
    const save = signed(house.service, {
      event: 'article_saved',
      material_id: 'post-1',
      content_url: `${baseUrl}/download/media/s/v1`,
    })
    return { answer: await house.post(save.body, save.headers), connections: () => connections }
  }

  it('never connects for a site that is in production', async () => {
    const { answer, connections } = await house('prod')
    expect(answer.json).toMatchObject({ rc: 0, code: 'download_failed' })
    expect(answer.json.rm).toContain('leads to a private network')
    expect(connections()).toBe(0)
  })

  it('is what a site for development asks for', async () => {
    const { answer, connections } = await house('dev')
    expect(answer.json.rm).toContain('the service answered with status 404')
    expect(connections()).toBe(1)
  })
})
