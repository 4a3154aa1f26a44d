import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'

import { hostCause } from '../../../packages/platform/network/host-cause.ts'
import { httpClient } from '../../../packages/platform/network/http-client.ts'
import { networkFault } from '../../../packages/platform/network/network-fault.ts'
import { connectionCause } from '../../../packages/platform/s3/bucket-answer.ts'

/** The error of a request to a server that sends these bytes and closes the connection. */
async function errorAfter(bytes: string): Promise<unknown> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(bytes))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { request } = await httpClient()
  const { port } = server.address() as AddressInfo
  return request(`http://127.0.0.1:${port}/`)
    .then(({ body }) => body.text())
    .catch((error: unknown) => error)
}

it.each([
  ['something that is not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
  ['a chunk without a length', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ['a status below 100', 'HTTP/1.1 099 Odd\r\nContent-Length: 1\r\n\r\nx'],
  ['another protocol than HTTP', 'HTTP/1.1 101 Switching Protocols\r\n\r\nPK'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
])('an answer with %s is unreadable', async (_name, bytes) => {
  const error = await errorAfter(bytes)
  expect([networkFault(error), connectionCause(error, 'public')?.reason.code]).toEqual([
    'unreadable',
    'public_unreached',
  ])
})

it.each([
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
  ['CERT_HAS_EXPIRED', 'certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'unreadable'],
  ['HOSTNAME_MISMATCH', 'certificate'],
  ['EHOSTDOWN', 'unreached'],
  ['ENETDOWN', 'unreached'],
  ['EAI_FAIL', 'unreached'],
  ['EPROTO', 'unreached'],
  ['ENOSPC', null],
  ['EIO', null],
])('%s is %s', (code, fault) => {
  const error = Object.assign(new Error(code), { code })
  expect(networkFault(error)).toBe(fault)
})

it('a connection that the system refuses is unreached, whatever the code; a file that is missing is no fault of the network', async () => {
  const refused = Object.assign(new Error('connect EPERM'), { code: 'EPERM', syscall: 'connect' })
  expect(networkFault(refused)).toBe('unreached')
  expect(networkFault(await readFile('/nowhere/at-all').catch((error: unknown) => error))).toBeNull()
  expect(networkFault(new TypeError('a bug'))).toBeNull()
})

it.each([
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate_issuer'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate_issuer'],
  ['CERT_HAS_EXPIRED', 'certificate_expired'],
  ['CERT_NOT_YET_VALID', 'certificate_early'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_host'],
  ['CERT_REVOKED', 'certificate_unusable'],
])('a certificate with %s is named by what is wrong with it: %s', (code, why) => {
  const error = Object.assign(new Error(code), { code })
  expect(connectionCause(error, 'bucket')).toMatchObject({
    reason: { code: 'bucket_certificate', why: { code: why } },
    again: false,
  })
  expect(hostCause(error)).toMatchObject({ code: 'host_certificate', why: { code: why } })
})
