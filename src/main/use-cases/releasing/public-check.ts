import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Agent } from 'undici'

import type { Cause } from '../../../contract/cause.ts'
import { cause } from '../../../contract/cause.ts'
import { bundlePath } from '../../../contract/domain/bundle/paths.ts'
import { hashBody } from '../../platform/network/hash-body.ts'
import { httpClient } from '../../platform/network/http-client.ts'
import type { PublicProblem } from '../../platform/s3/public-answer.ts'
import { refusedWith, unreachedBecause } from '../../platform/s3/public-answer.ts'
import { retrying } from '../../platform/timing/retrying.ts'
import type { ReleaseFile } from './release-record.ts'

/** The result of reading a file as its readers do. `status` is 200, or 404 for an error page. */
type PublicCopy = { readonly sha256: string; readonly status: number } | PublicProblem

const redirectsFollowed = 3

/** How to read public copies. `stallMs`: how long a server may send nothing. */
interface Reader {
  readonly agent: Agent
  readonly signal: AbortSignal
  readonly stallMs: number
  readonly waitsMs: readonly number[]
}

/** Reads a file through its public URL, bypassing caches if they allow it. Follows redirects on the same host. */
async function readPublicCopy(url: string, wanted: number, reader: Reader): Promise<PublicCopy> {
  const { agent, signal, stallMs } = reader
  const { request } = await httpClient()
  let at = url
  try {
    for (let redirects = 0; ; redirects += 1) {
      const { statusCode, headers, body } = await request(at, {
        dispatcher: agent,
        signal,
        // A large file on a slow connection may take its time.
        headersTimeout: stallMs,
        bodyTimeout: stallMs,
        headers: { 'accept-encoding': 'gzip, identity', 'cache-control': 'no-cache' },
      })
      if (statusCode === 200 || statusCode === wanted)
        return { status: statusCode, sha256: await hashOf(body, headers['content-encoding']) }
      await body.dump()
      const next = typeof headers.location === 'string' ? new URL(headers.location, at) : null
      const isHere = next !== null && next.host === new URL(at).host
      if (statusCode >= 300 && statusCode < 400 && isHere && redirects < redirectsFollowed) {
        at = next.href
        continue
      }
      return refusedWith(statusCode)
    }
  } catch (error) {
    return unreachedBecause(error)
  }
}

async function hashOf(body: Readable, encoding: string | readonly string[] | undefined): Promise<string> {
  const hash = createHash('sha256')
  await hashBody(hash, body, String(encoding))
  return hash.digest('hex')
}

/** Reads until the file has this content. After several tries, returns why it does not. */
export async function awaitPublicCopy(
  url: string,
  sha256: string,
  reader: Reader,
): Promise<'same' | { readonly reason: Cause | null }> {
  const copy = await retrying(
    reader,
    () => readPublicCopy(url, 200, reader),
    (last) => (('problem' in last ? last.isPassing : last.sha256 !== sha256) ? 0 : null),
  )
  if ('sha256' in copy && copy.sha256 === sha256) return 'same'
  reader.signal.throwIfAborted()
  return { reason: 'problem' in copy ? copy.problem : null }
}

/**
 * Reads a page at the address of its folder, as the links of a site name it. If only its file can be read, the server has
 * no index documents.
 */
export async function awaitFolderPage(
  publicUrl: string,
  path: string,
  sha256: string,
  reader: Reader,
): Promise<'same' | { readonly reason: Cause | null }> {
  const address = addressOf(path)
  const found = await awaitPublicCopy(`${publicUrl}/${address}`, sha256, reader)
  if (found === 'same') return found
  const file = await readPublicCopy(`${publicUrl}/${path}`, 200, reader)
  const isServed = 'sha256' in file && file.sha256 === sha256
  return isServed ? { reason: cause('public_index', { name: `/${address}` }) } : found
}

/** The address of a page, below the public URL. */
export const addressOf = (path: string): string => path.replace(/index\.html$/, '')

/** What readers get at an address that the site does not have; null if it is the error page of the site, with its status. */
export async function missingAddressFault(
  publicUrl: string,
  files: readonly Pick<ReleaseFile, 'path' | 'sha256'>[],
  reader: Reader,
): Promise<Cause | null> {
  const copy = await readPublicCopy(`${publicUrl}/galley-missing-${randomBytes(8).toString('hex')}`, 404, reader)
  if ('problem' in copy) return { ...copy.problem, code: 'public_error_page' }
  if (copy.status !== 404) return cause('public_no_404', { name: copy.status })
  const page = files.find(({ path }) => path === bundlePath.notFound)
  return page === undefined || page.sha256 === copy.sha256 ? null : cause('public_error_page', { name: 404 })
}
