import { expect, test } from 'vitest'

import { picture } from '../../../packages/kit/archives/sample-files.ts'
import { imageSize, isSamePicture } from '../../../packages/kit/judge/pictures.ts'
import { whyNotPublic } from '../../../packages/kit/judge/save-answer.ts'
import { createHostJudge, isInternalHost, isLoopback } from '../../../packages/kit/protocol/hosts.ts'

test.for([
  'localhost',
  'cms.localhost',
  'printer.local',
  'files.internal',
  'web',
  'nas.lan',
  'x.home.arpa',
  'localhost.',
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.1.1',
  '100.64.0.1',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[fd00::1]',
  '[fe80::1]',
  '[::ffff:10.0.0.1]',
])('%s is no public host', (host) => {
  expect(isInternalHost(new URL(`http://${host}/`).hostname)).toBe(true)
  const { hostname } = new URL(`http://${host}/`)
  expect(whyNotPublic(`http://${host}/a.png`, new Set([hostname]))).toMatch(/whose host readers cannot reach/)
  // A backend on this machine, or in this network, may well serve there.
  expect(whyNotPublic(`http://${host}/a.png`)).toBeNull()
})

test.for(['cms.example', 'localhost.example', '172.32.0.1', '8.8.8.8', '[2001:db8::1]', 'xn--bcher-kva.example'])(
  '%s may be public',
  (host) => expect(isInternalHost(new URL(`http://${host}/`).hostname)).toBe(false),
)

test.for([
  [true, ['localhost', 'LOCALHOST', '127.0.0.1', '127.1', '127.8.9.10', '[::1]', '[0:0::0:1]']],
  [false, ['127.evil.example', '127.0.0.1.evil.example', 'localhost.example', '128.0.0.1', '0.0.0.0', '[::]', '[::2]']],
] as const)('this machine: %s', ([isThis, hosts]) => {
  expect(hosts.filter((host) => isLoopback(new URL(`http://${host}/`).hostname) !== isThis)).toEqual([])
})

const addresses: Readonly<Record<string, readonly string[]>> = {
  'rebound.example': ['10.0.0.7'],
  'mapped.example': ['::ffff:192.168.1.4'],
  'shared.example': ['100.64.1.1', 'fd12::4'],
  'linked.example': ['fe80::9', '169.254.3.3'],
  'both.example': ['10.0.0.7', '8.8.8.8'],
  'open.example': ['8.8.8.8', '2606:4700::1111'],
}

test.for([
  ['https://cms.example\n/a.png', /"https:\/\/cms\.example\\n\/a\.png", which is not an http URL/],
  ['https://cms.example/a.png ', /which is not an http URL/],
  ['\thttps://cms.example/a.png', /which is not an http URL/],
  ['https://editor:pass@cms.example/a.png', /^a clientUrl with a user name, from which browsers load no pictures$/],
  ['https://b.s3.example/a.png?X-Amz-Date=20261125T000000Z&X-Amz-Expires=3600&X-Amz-Signature=0', /limited time/],
  ['https://storage.example/a.png?x-goog-expires=900', /limited time/],
] as const)('%j is no public URL', ([url, why]) => {
  expect(whyNotPublic(url)).toMatch(why)
})

test.for(['https://cms.example/a b.png', 'HTTP://CMS.EXAMPLE:8080/a.png?expires=never#x', 'https://cms.example/@a'])(
  '%j is a public URL',
  (url) => {
    expect(whyNotPublic(url)).toBeNull()
  },
)

test('a public name is judged by the addresses that it resolves to, each name once', async () => {
  const asked: string[] = []
  const hosts = createHostJudge((hostname) => {
    asked.push(hostname)
    return Promise.resolve(addresses[hostname] ?? [])
  })
  const text = JSON.stringify(Object.keys(addresses).map((host) => `https://${host}:8443/a.png`))
  const others =
    '"http:\\/\\/rebound.example\\/b.png" "http://[fd00::1]/c" "http://localhost/d" "http://unknown.example/e"'
  const internal = ['rebound.example', 'mapped.example', 'shared.example', 'linked.example', '[fd00::1]', 'localhost']
  expect([...(await hosts.internalIn(`${text} ${others}`))]).toEqual(internal)
  await hosts.internalIn(text)
  expect(asked).toEqual([...Object.keys(addresses), 'unknown.example'])
  expect(whyNotPublic('https://rebound.example/a.png', new Set(internal))).toMatch(/whose host readers cannot reach/)
})

test('a name of this machine is looked up where connections look it up', async () => {
  // Without a network, no name but those of this machine can be resolved.
  expect(await createHostJudge().isInternal('localhost')).toBe(true)
  expect(await createHostJudge().isInternal('nobody.invalid')).toBe(false)
})

test('a picture is known again by its size, whatever encodes it', () => {
  const sent = picture('one')
  const size = imageSize(sent)
  expect(size).not.toBeNull()
  const gif = Buffer.alloc(16)
  gif.write('GIF89a', 'latin1')
  gif.writeUInt16LE(size?.width ?? 0, 6)
  gif.writeUInt16LE(size?.height ?? 0, 8)
  const jpeg = Buffer.from('ffd8ffe000044a46ffc000110800000000030122000211010311010000', 'hex')
  jpeg.writeUInt16BE(size?.height ?? 0, 13)
  jpeg.writeUInt16BE(size?.width ?? 0, 15)
  const webp = Buffer.alloc(32)
  webp.write('RIFF____WEBPVP8X', 'latin1')
  webp.writeUIntLE((size?.width ?? 0) - 1, 24, 3)
  webp.writeUIntLE((size?.height ?? 0) - 1, 27, 3)
  const avif = Buffer.alloc(48)
  avif.write('____ftypavif', 'latin1')
  avif.write('ispe', 24, 'latin1')
  avif.writeUInt32BE(size?.width ?? 0, 32)
  avif.writeUInt32BE(size?.height ?? 0, 36)
  for (const served of [gif, jpeg, webp, avif]) expect(isSamePicture(sent, served)).toBe(true)
  for (const served of [
    picture('two'),
    Buffer.from('<!doctype html><title>Not found</title>'),
    sent.subarray(0, 18),
    Buffer.alloc(0),
  ])
    expect(isSamePicture(sent, served)).toBe(false)
})

test('a picture that was truncated or has changed bytes was not re-encoded', () => {
  const sent = picture('one')
  expect(isSamePicture(sent, sent.subarray(0, -1))).toBe(false)
  expect(isSamePicture(sent, sent.subarray(0, 40))).toBe(false)
  const changed = Buffer.from(sent)
  changed.writeUInt8((sent.at(-20) ?? 0) ^ 1, sent.length - 20)
  expect(isSamePicture(sent, changed)).toBe(false)
})
