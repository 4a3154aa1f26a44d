import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import type { Network } from '@galley/platform'
import { bytesUpTo, chunksOf, digestFrom, hostCause, httpClient, storageCause } from '@galley/platform'
import type { Cause, Result } from '@galley/wire'
import { CausedError, cause, fail, ok } from '@galley/wire'

import type { ReleaseFile } from './feed.ts'

/** News in two languages, and a line for each file. */
const feedMaxBytes = 64 * 1024
/** How long the server may send nothing. */
const silenceMs = 30_000

interface RequestEdges {
  readonly network: Network
  readonly signal: AbortSignal
}

/** Requests an address, follows no redirect, and gives the body to `use` while it arrives. Fails with the cause of whatever went wrong. */
async function requested<Value>(
  url: URL,
  { network, signal }: RequestEdges,
  use: (body: Readable) => Promise<Result<Value, Cause>>,
): Promise<Result<Value, Cause>> {
  const connections = network.connections({ connectMs: silenceMs }, 'anywhere')
  try {
    const { request } = await httpClient()
    const { statusCode, headers, body } = await request(url, {
      dispatcher: await connections.get(),
      signal,
      headers: { 'user-agent': 'Galley', 'accept-encoding': 'identity' },
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    })
    // Without either, a body that was cut looks like a whole one.
    const isFramed = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    if (statusCode === 200 && isFramed) return await use(body)
    body.on('error', () => undefined).destroy()
    return fail(
      statusCode === 200
        ? cause('update_unreached', { why: cause('host_unreadable') })
        : cause('update_status', { name: statusCode }),
    )
  } catch (error) {
    return fail(error instanceof CausedError ? error.reason : cause('update_unreached', { why: hostCause(error) }))
  } finally {
    await connections.destroy()
  }
}

/** The text of a feed. */
export const requestFeed = (url: string, edges: RequestEdges): Promise<Result<string, Cause>> =>
  requested(new URL(url), edges, async (body) => {
    const bytes = await bytesUpTo(feedMaxBytes, body)
    return bytes === null ? fail(cause('update_unreadable')) : ok(bytes.toString('utf8'))
  })

interface Download {
  /** The address of the feed. */
  readonly feed: string
  readonly file: ReleaseFile
  /** Replaced. */
  readonly path: string
  /** Called with the share that has arrived. */
  readonly onShare: (done: number) => void
}

/** Downloads a file of a release. Nothing is left if it is not the one that was signed. */
export async function downloadFile(
  { feed, file, path, onShare }: Download,
  edges: RequestEdges,
): Promise<Result<null, Cause>> {
  const got = await requested(new URL(encodeURIComponent(file.name), feed), edges, (body) =>
    received(body, { file, path, onShare }),
  )
  if (!got.ok) await rm(path, { force: true }).catch(() => undefined)
  return got
}

async function received(body: Readable, { file, path, onShare }: Omit<Download, 'feed'>): Promise<Result<null, Cause>> {
  const hash = createHash('sha512')
  let sizeBytes = 0
  await onDisk(mkdir(dirname(path), { recursive: true, mode: 0o700 }))
  await using target = await onDisk(open(path, 'w', 0o700))
  for await (const chunk of chunksOf(body)) {
    sizeBytes += chunk.length
    if (sizeBytes > file.size) return fail(cause('update_bytes'))
    hash.update(chunk)
    await onDisk(target.writeFile(chunk))
    onShare(sizeBytes / file.size)
  }
  if (sizeBytes < file.size) return fail(cause('update_cut'))
  await onDisk(target.sync())
  return hash.digest('hex') === file.sha512 ? ok(null) : fail(cause('update_bytes'))
}

/** Tells faults of this disk from those of the network. */
async function onDisk<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    throw new CausedError(storageCause(error))
  }
}

/** Whether a file is the one that was signed. Throws errors of the disk. */
export const isSignedFile = async (path: string, { sha512 }: ReleaseFile): Promise<boolean> =>
  (await digestFrom(createHash('sha512'), createReadStream(path))) === sha512
