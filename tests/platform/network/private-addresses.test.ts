import { lookup } from 'node:dns/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'

import { checkSite } from '../../../packages/library/sites/site-check.ts'
import { isInner, namesInnerHost, publicLookup } from '../../../packages/platform/network/private-addresses.ts'
import { createTestGalley, signed } from '../../support/test-galley.ts'

/** The addresses that IANA's special-purpose registries do not call globally reachable, and multicast, as printed there. */
const special = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // All of these except the last lines are outside of 2000::/3, the only range that is assigned.
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  '::/3',
  '4000::/2',
  '8000::/1',

  '2001::/32',
  '2001:2::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
].map(rangeOf)

interface Range {
  readonly name: string
  readonly first: bigint
  readonly last: bigint
}

/** First and last address of a network as 128 bits; IPv4 in its IPv6-mapped form. */
function rangeOf(name: string): Range {
  const [network = '', length = ''] = name.split('/')
  const bits = network.includes('.') ? 96 + Number(length) : Number(length)
  const first = bitsOf(network)
  return { name, first, last: first + (1n << BigInt(128 - bits)) - 1n }
}

/** An address as a number. */
function bitsOf(address: string): bigint {
  if (address.includes('.')) {
    const bytes = address.split('.').reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
    return 0xffffn * 2n ** 32n + bytes
  }
  const [head = '', tail] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [left, right] = [groups(head), groups(tail ?? '')]
  const gap = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(gap).fill('0'), ...right].reduce(
    (sum, group) => sum * 65_536n + BigInt(`0x${group}`),
    0n,
  )
}

const isMapped = (bits: bigint): boolean => bits >> 32n === 0xffffn
const isSpecial = (bits: bigint): boolean =>
  // A mapped address is in ::/3, and is classified like its IPv4 address.
  special.some(({ name, first, last }) => name.includes('.') === isMapped(bits) && bits >= first && bits <= last)

/** The notations of one address. */
function spellings(bits: bigint): readonly string[] {
  const groups = Array.from({ length: 8 }, (_, at) => ((bits >> BigInt(112 - 16 * at)) & 0xffffn).toString(16))
  const dotted = Array.from({ length: 4 }, (_, at) => (bits >> BigInt(24 - 8 * at)) & 0xffn).join('.')
  const short = new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1)
  const whole = [short, groups.join(':'), groups.join(':').toUpperCase(), `${groups.slice(0, 6).join(':')}:${dotted}`]
  return isMapped(bits) ? [dotted, `::ffff:${dotted}`, ...whole] : whole
}

const end = 2n ** 128n

describe('private addresses', () => {
  it.each(special.map((range) => [range.name, range] as const))(
    'are those of %s, to its edges',
    (_, { first, last }) => {
      for (const bits of [first, last, (first + last) / 2n]) {
        if (isMapped(bits) && !isSpecial(bits)) continue
        for (const address of spellings(bits)) expect([address, isInner(address)]).toEqual([address, true])
      }
      for (const bits of [first - 1n, last + 1n]) {
        if (bits < 0n || bits >= end) continue
        for (const address of spellings(bits)) expect([address, isInner(address)]).toEqual([address, isSpecial(bits)])
      }
    },
  )

  it('agree with a second implementation, everywhere and near the boundaries', () => {
    const anywhere = fc.bigInt({ min: 0n, max: end - 1n })
    const mappedIPv4 = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map((bits) => 0xffffn * 2n ** 32n + bits)
    const handedOut = fc.bigInt({ min: 2n ** 125n, max: 2n ** 126n - 1n })
    const atAnEdge = fc
      .tuple(fc.constantFrom(...special), fc.boolean(), fc.bigInt({ min: -300n, max: 300n }))
      .map(([{ first, last }, low, by]) => ((low ? first : last) + by + end) % end)
    fc.assert(
      fc.property(fc.oneof(anywhere, mappedIPv4, handedOut, atAnEdge), (bits) => {
        for (const address of spellings(bits)) expect([address, isInner(address)]).toEqual([address, isSpecial(bits)])
      }),
      { numRuns: 3000 },
    )
  })

  it.each(['fe80::1%lo', '', 'service.test', '1.2.3', '1.2.3.4.5'])(
    '%j, which cannot be read, counts as one',
    (address) => expect(isInner(address)).toBe(true),
  )
  it.each(['1.1.1.1', '8.8.8.8', '100.128.0.0', '198.20.0.0', '::ffff:808:808', '2606:4700::1111', '2a00:1450::1'])(
    '%s, a public service, is none',
    (address) => expect(isInner(address)).toBe(false),
  )
})

describe('a host that obviously names this machine or a private network', () => {
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
    '[2606:4700::1]',
    'svc.test',
    '',
  ])('%j does not', (host) => expect(namesInnerHost(host)).toBe(false))
})

describe('the look-up of public hosts', () => {
  const looked = (name: string, all: boolean) =>
    new Promise<unknown>((resolve) => {
      publicLookup([])(name, { all }, (error, address) => resolve(error ? error.code : address))
    })

  it('refuses a name of this machine, whether one address or all are requested', async () => {
    expect([await looked('localhost', true), await looked('localhost', false)]).toEqual([
      'EPRIVATEADDRESS',
      'EPRIVATEADDRESS',
    ])
  })

  it("passes on the resolver's result for an unknown name", async () => {
    expect(await looked('no-such-host.invalid', true)).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/)
  })

  it('passes on public addresses in the requested form', async () => {
    expect(await looked('1.1.1.1', true)).toEqual([{ address: '1.1.1.1', family: 4 }])
    expect(await looked('1.1.1.1', false)).toBe('1.1.1.1')
  })
})

/** A name other than localhost that resolves to this machine. */
const ownName = await (async () => {
  for (const name of [hostname(), 'ip6-localhost', 'localhost.', 'localhost.localdomain']) {
    const found = await lookup(name, { all: true }).catch(() => [])
    const usable = URL.canParse(`http://${name}/`) && !namesInnerHost(new URL(`http://${name}/`).hostname)
    if (usable && found.length > 0 && found.every(({ address }) => isInner(address))) return name
  }
  return null
})()

async function fixtureInside(environment: 'dev' | 'prod') {
  let connections = 0
  const server = createServer((_request, response) => void response.writeHead(404).end())
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', () => resolve()))
  onTestFinished(() => void server.close())
  const baseUrl = `http://${ownName}:${(server.address() as AddressInfo).port}/integration`
  const fixture = await createTestGalley({ site: { environment, baseUrl, unknownMaterials: 'accept' } })
  return { ...fixture, baseUrl, connections: () => connections }
}

describe.skipIf(ownName === null)('a service whose name resolves to a private address', () => {
  async function saved(environment: 'dev' | 'prod') {
    const { service, post, baseUrl, connections } = await fixtureInside(environment)
    const save = signed(service, {
      event: 'article_saved',
      material_id: 'post-1',
      content_url: `${baseUrl}/download/media/s/v1`,
    })
    return { answer: await post(save.body, save.headers), connections: connections() }
  }

  async function opened(environment: 'dev' | 'prod') {
    const { galley, connections } = await fixtureInside(environment)
    const request = { site: 'acme', materialId: 'post-1', title: null, slug: null, metadata: null }
    return { answer: await galley.sessions.open(request), connections: connections() }
  }

  async function checked(environment: 'dev' | 'prod') {
    const { galley, connections } = await fixtureInside(environment)
    const site = await galley.sites.find('acme')
    if (!site) throw new Error('There is no site')
    const checks = await checkSite(galley, site, null)
    return { check: checks.find(({ name }) => name === 'base_url'), connections: connections() }
  }

  it('gets no connection from a download of a production site', async () => {
    const { answer, connections } = await saved('prod')
    expect(answer.json).toMatchObject({ rc: 0, code: 'download_failed' })
    expect(answer.json.rm).toContain('resolves to a private network')
    expect(connections).toBe(0)
  })

  it('gets no connection from session/open of a production site, whose request has the callback credentials', async () => {
    const { answer, connections } = await opened('prod')
    expect(answer).toMatchObject({ ok: false, failure: { code: 'service_unreachable', state: 'private' } })
    expect(connections).toBe(0)
  })

  it('gets no connection from the self-test of a production site, which reports why', async () => {
    const { check, connections } = await checked('prod')
    expect(check).toMatchObject({ ok: false, code: 'service_private' })
    expect(connections).toBe(0)
  })

  it('gets a connection from a site in development', async () => {
    const save = await saved('dev')
    expect(save.answer.json.rm).toContain('the service returned status 404')
    const open = await opened('dev')
    expect(open.answer).toMatchObject({ ok: false, failure: { code: 'unexplained_refusal', status: 404 } })
    const check = await checked('dev')
    expect(check.check).toMatchObject({ ok: true, code: 'service_answers' })
    expect([save.connections, open.connections, check.connections]).toEqual([1, 1, 1])
  })
})
