import type { Hash } from 'node:crypto'
import { createHash } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, writev, writevSync } from 'node:fs'
import { promisify } from 'node:util'
import {
  ConnectionError,
  certificateCause,
  digestOf,
  networkFault,
  ownFault,
  privateAddressCode,
  retrying,
  unsharedConnections,
} from '@galley/platform'
import type { Network } from '@galley/platform'
import type { CallbackFailure, Cause, CauseCode, ContentUrl, MaterialId, Result } from '@galley/wire'
import { cause, downloadPath, errorCode, fail, ok } from '@galley/wire'
import type { Dispatcher } from 'undici'

import { createByteWindow, readFully } from '../archive/byte-window.ts'
import { readEndRecord } from '../archive/end-record.ts'
import type { StagedFile } from '../archive/jobs.ts'
import type { Site } from '../records/site.ts'

export type DownloadFailure = Extract<CallbackFailure, { kind: 'download_failed' | 'content_too_large' }>

/** An archive to download. `signature` is that of the callback (contract, download endpoints). */
export interface Download {
  readonly site: Site
  readonly materialId: MaterialId
  readonly contentUrl: ContentUrl
  readonly signature: string
  /** The target path; the file must not exist. */
  readonly path: string
  readonly signal: AbortSignal
}

/** A failed attempt, and whether to retry. */
interface FailedTry {
  readonly failure: DownloadFailure
  readonly again: boolean
}

/** Bytes to collect before a write: one write per megabyte instead of one per packet. */
const writeBatchBytes = 1024 * 1024
/**
 * Writes up to this size run on the main thread: they take about 50 microseconds, less than handing them to another thread.
 */
const syncWriteMaxBytes = 128 * 1024

/** The first bytes of a ZIP with entries. */
const zipStart = Buffer.from('PK\x03\x04', 'latin1')

const writeElsewhere = promisify(writev)

/**
 * Streams archives to disk: hashes them on the way, enforces the site's size limit, and makes at most three attempts within
 * one deadline. Never follows redirects, because the request contains the callback's signature.
 */
export function createDownloader(network: Network, retryWaitsMs: readonly number[] = [500, 2000]) {
  const agents = network.agents(unsharedConnections)

  async function download(job: Download): Promise<Result<StagedFile, DownloadFailure>> {
    const deadline = AbortSignal.timeout(job.site.downloadTimeoutMs)
    const signal = AbortSignal.any([job.signal, deadline])
    const dispatcher = await agents.for(job.site, job.contentUrl.parsed.hostname)
    const file = openSync(job.path, 'wx+', 0o600)
    try {
      const attempt = () => {
        ftruncateSync(file, 0)
        return fetchOnce(job, dispatcher, signal, file)
      }
      const tried = await retrying({ waitsMs: retryWaitsMs, signal }, attempt, (last) =>
        last.ok || !last.failure.again ? null : 0,
      )
      return tried.ok ? tried : fail(deadline.aborted ? late(job.site) : tried.failure.failure)
    } finally {
      closeSync(file)
    }
  }

  return { download, close: agents.destroy }
}

export type Downloader = ReturnType<typeof createDownloader>

async function fetchOnce(
  { site, materialId, contentUrl, signature, path }: Download,
  dispatcher: Dispatcher,
  signal: AbortSignal,
  file: number,
): Promise<Result<StagedFile, FailedTry>> {
  const stop = (failure: DownloadFailure, again: boolean): Result<never, FailedTry> => fail({ failure, again })
  try {
    const { statusCode, headers, body } = await dispatcher.request({
      origin: contentUrl.parsed.origin,
      path: downloadPath(contentUrl, site.apiKey, materialId),
      method: 'GET',
      signal,
      headers: { [site.signatureHeader]: signature, accept: 'application/zip, */*', 'accept-encoding': 'identity' },
      headersTimeout: site.downloadTimeoutMs,
      bodyTimeout: site.downloadTimeoutMs,
    })
    if (statusCode !== 200) {
      drop(body)
      const again = statusCode === 401 || statusCode === 429 || statusCode >= 500
      return stop({ ...failed(cause('service_status', { name: statusCode })), status: statusCode }, again)
    }
    const declared = Number(headers['content-length'] ?? 0)
    const encoding = headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      drop(body)
      return stop(failed(cause('wrong_encoding')), false)
    }
    if (declared > site.maxContentBytes) {
      drop(body)
      return stop(tooLarge(site), false)
    }
    const hash = createHash('sha256')
    const sizeBytes = await writeAll(body, file, hash, site.maxContentBytes)
    if (sizeBytes === null) return stop(tooLarge(site), false)
    const endsWithConnection = headers['content-length'] === undefined && headers['transfer-encoding'] === undefined
    if (endsWithConnection && isCut(file, sizeBytes)) return stop(failed(cause('connection_cut')), true)
    return ok({ path, sha256: digestOf(hash), sizeBytes })
  } catch (error) {
    const fault = ownFault(error)
    const why = networkCause(fault)
    // Not a network error: a disk fault or a bug, which the caller handles.
    if (why === null) throw fault
    return stop(failed(why), why.code !== 'certificate' && why.code !== 'proxy_credentials')
  }
}

/** Whether a file is the beginning of a ZIP without its end: where no length was declared, this alone shows a cut. */
function isCut(file: number, sizeBytes: number): boolean {
  const start = Buffer.alloc(Math.min(sizeBytes, zipStart.length))
  readFully(file, start, 0)
  if (!zipStart.subarray(0, start.length).equals(start)) return false
  const end = readEndRecord(createByteWindow(file, sizeBytes))
  return !end.ok && (end.failure.code === 'not_zip' || end.failure.code === 'end_damaged')
}

/** Discards an unwanted body and ignores the error that this causes. */
function drop(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined).destroy()
}

/** Writes a body to the start of the file; null if it exceeds the limit. */
async function writeAll(
  body: AsyncIterable<Buffer>,
  file: number,
  hash: Hash,
  capBytes: number,
): Promise<number | null> {
  let sizeBytes = 0
  let written = 0
  let batch: Buffer[] = []
  const flush = async () => {
    if (batch.length === 0) return
    // A disk that becomes full writes only a part without an error. Writing the rest again reports it.
    for (let rest: readonly Buffer[] = batch, at = written; at < sizeBytes;) {
      const bytes =
        sizeBytes - at <= syncWriteMaxBytes
          ? writevSync(file, rest, at)
          : (await writeElsewhere(file, rest, at)).bytesWritten
      at += bytes
      if (at < sizeBytes) rest = [Buffer.concat(rest).subarray(bytes)]
    }
    for (const chunk of batch) release(chunk)
    written = sizeBytes
    batch = []
  }
  for await (const chunk of body) {
    sizeBytes += chunk.length
    if (sizeBytes > capBytes) return null
    hash.update(chunk)
    batch.push(chunk)
    if (sizeBytes - written >= writeBatchBytes) await flush()
  }
  await flush()
  return sizeBytes
}

/**
 * Frees the memory of a written packet now: the garbage collector counts only small objects and would let a hundred
 * megabytes of buffers accumulate. Only for whole, unshared buffers; not supported in Node before 22.
 */
function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && 'transfer' in buffer) buffer.transfer(0)
}

const failed = (reason: Cause): Extract<DownloadFailure, { kind: 'download_failed' }> => ({
  kind: 'download_failed',
  reason,
})

const late = (site: Site): DownloadFailure =>
  failed(cause('too_late', { name: Math.round(site.downloadTimeoutMs / 1000) }))

const tooLarge = (site: Site): DownloadFailure => ({
  kind: 'content_too_large',
  what: cause('size'),
  limit: site.maxContentBytes,
})

const networkCauses: Readonly<Record<string, CauseCode>> = {
  ECONNREFUSED: 'service_refuses',
  ECONNRESET: 'connection_cut',
  ENOTFOUND: 'service_not_found',
  EAI_AGAIN: 'service_not_found_now',
  ETIMEDOUT: 'service_silent',
  EHOSTUNREACH: 'service_unreached',
  ENETUNREACH: 'service_unreached',
  EPIPE: 'connection_cut',
  [privateAddressCode]: 'private_network',
  UND_ERR_SOCKET: 'connection_cut',
  UND_ERR_CONNECT_TIMEOUT: 'service_silent',
  UND_ERR_HEADERS_TIMEOUT: 'service_silent',
  UND_ERR_BODY_TIMEOUT: 'service_stopped',
  UND_ERR_ABORTED: 'stopped',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'other_length',
  UND_ERR_RESPONSE: 'service_unreadable',
}

/** The cause of a network error; null for other errors. Never contains the URL. */
function networkCause(error: unknown): Cause | null {
  if (!(error instanceof Error)) return null
  if (error instanceof ConnectionError) return error.reason
  const fault = networkFault(error)
  if (fault === 'certificate') return cause(fault, { why: certificateCause(error) })
  const known = networkCauses[errorCode(error) ?? ''] ?? (fault === null ? null : faultCauses[fault])
  return known === null ? null : cause(known)
}

const faultCauses = {
  unreadable: 'service_unreadable',
  unreached: 'service_unreached',
  ended: 'stopped',
} as const
