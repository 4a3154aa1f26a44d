import { createHash, randomBytes } from 'node:crypto'
import { bundlePath } from '@galley/library/records'
import type { PublicAnswer, PublicReader } from '@galley/platform'
import { readPublic } from '@galley/platform'
import type { Cause } from '@galley/wire'
import { cause } from '@galley/wire'

import type { ReleaseFile } from './release-record.ts'

async function copyIn({ status, body }: PublicAnswer) {
  const hash = createHash('sha256')
  for await (const chunk of body) hash.update(chunk)
  return { status, sha256: hash.digest('hex') }
}

/** Follows a few redirects, as browsers do. */
const asBrowser = { redirects: 3, take: copyIn }

/** Reads until the file has this content. After several tries, returns why it does not. */
export async function awaitPublicCopy(
  url: string,
  sha256: string,
  reader: PublicReader,
): Promise<'same' | { readonly reason: Cause | null }> {
  const isRight = (copy: { readonly sha256: string }): boolean => copy.sha256 === sha256
  const read = await readPublic(url, { ...asBrowser, isRight }, reader)
  if (read.ok && isRight(read.value)) return 'same'
  reader.signal.throwIfAborted()
  return { reason: read.ok ? null : read.failure.problem }
}

/**
 * Reads a page at the address of its folder, as the links of a site name it. If only its file can be read, the server has
 * no index documents.
 */
export async function awaitFolderPage(
  publicUrl: string,
  path: string,
  sha256: string,
  reader: PublicReader,
): Promise<'same' | { readonly reason: Cause | null }> {
  const address = addressOf(path)
  const found = await awaitPublicCopy(`${publicUrl}/${address}`, sha256, reader)
  if (found === 'same') return found
  const file = await awaitPublicCopy(`${publicUrl}/${path}`, sha256, { ...reader, waitsMs: [] })
  return file === 'same' ? { reason: cause('public_index', { name: `/${address}` }) } : found
}

/** The address of a page, below the public URL. */
export const addressOf = (path: string): string => path.replace(/index\.html$/, '')

/** What readers get at an address that the site does not have; null if it is the error page of the site, with its status. */
export async function missingAddressFault(
  publicUrl: string,
  files: readonly Pick<ReleaseFile, 'path' | 'sha256'>[],
  reader: PublicReader,
): Promise<Cause | null> {
  const url = `${publicUrl}/galley-missing-${randomBytes(8).toString('hex')}`
  const read = await readPublic(url, { ...asBrowser, errorPage: 404, isRight: () => true }, { ...reader, waitsMs: [] })
  if (!read.ok) return { ...read.failure.problem, code: 'public_error_page' }
  const { status, sha256 } = read.value
  if (status !== 404) return cause('public_no_404', { name: status })
  const page = files.find(({ path }) => path === bundlePath.notFound)
  return page === undefined || page.sha256 === sha256 ? null : cause('public_error_page', { name: 404 })
}
