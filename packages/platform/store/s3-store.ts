import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { CausedError, cause, encodeSegment, pageMediaType } from '@galley/wire'

import { sha256Of } from '../disk/sha256.ts'
import { digestFrom } from '../network/chunks.ts'
import { unpacked } from '../network/unpacked.ts'
import type { Bucket } from '../s3/bucket.ts'
import { listedKeys } from '../s3/listed-keys.ts'
import type { KeyedFile, PartNotes } from '../s3/upload.ts'
import { abort, findObject, upload } from '../s3/upload.ts'
import { forEachConcurrently } from '../timing/concurrency.ts'
import { leftBeside, probeStart } from './probe-file.ts'
import type { ListedFile, OutgoingFile, Store, StoredForm } from './store.ts'
import { textFile } from './store.ts'

/** Compression makes smaller texts larger. */
const leastToCompress = 512

/** Trying for more would take a slow connection minutes. */
const roomTriedMax = 32 * 1024 ** 2

/** Hides the latency of a distant storage. */
export const requestsAtATime = 16

const compress = promisify(gzip)

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')

const never = new AbortController().signal

const unnoted = { begun: () => undefined, ended: () => undefined }

export interface S3Options {
  readonly prefix: string
  /** Whether texts are stored compressed. */
  readonly compressed: boolean
  /** Whether `put` returns the form of a file, with which a later list is compared. */
  readonly isListed: boolean
  readonly waitsMs: readonly number[]
}

/** A bucket, or a prefix of one. */
export function s3Store(bucket: Bucket, { prefix, compressed, isListed, waitsMs }: S3Options) {
  const keyOf = (path: string): string =>
    [...prefix.split('/'), ...path.split('/')].filter(Boolean).map(encodeSegment).join('/')
  const start = prefix === '' ? '' : `${prefix}/`
  const keyed = (file: OutgoingFile): Promise<KeyedFile> => asStored(file, keyOf(file.path), compressed)

  async function remove(path: string, signal: AbortSignal): Promise<void> {
    const answer = await bucket.ask({ method: 'DELETE', key: keyOf(path) }, signal)
    if (answer.status >= 300 && answer.status !== 404) throw bucket.refused(answer)
  }

  async function put(file: OutgoingFile, signal: AbortSignal, parts: PartNotes = unnoted): Promise<StoredForm> {
    const stored = await keyed(file)
    const md5 = await upload(bucket, stored, waitsMs, signal, parts)
    if (!isListed) return {}
    const { sizeBytes } = stored
    // A storage that encrypts with a key of its own has other ETags.
    const isMd5 = md5 !== null && md5 === (await digestFrom(createHash('md5'), stored.read(0, sizeBytes)))
    return { ...(sizeBytes !== file.bytes && { storedBytes: sizeBytes }), ...(isMd5 && { md5 }) }
  }

  return {
    address: bucket.root,
    hasHeaders: true,
    atATime: requestsAtATime,

    list: (paths, signal) => listed(bucket, start, new Set(paths), signal),
    head: async (file, signal) => findObject(bucket, await keyed(file), signal),

    get: (path, take) => get(bucket, keyOf(path), take),
    put,

    /** Returns whether there was no such file. A store that does not know the condition replaces it. */
    async create(file: OutgoingFile, signal: AbortSignal): Promise<boolean> {
      const { key, headers, ...rest } = await keyed(file)
      const payload = { ...rest, read: () => rest.read(0, rest.sizeBytes) }
      const condition = { ...headers, 'if-none-match': '*' }
      const answer = await bucket.ask({ method: 'PUT', key, headers: condition, payload }, signal)
      if (answer.status === 412) return false
      // Swift answers so.
      if (answer.status === 501) await put(file, signal)
      else if (answer.status !== 200) throw bucket.refused(answer)
      return true
    },

    /** Aborts an upload in parts. Returns false if the storage did not respond. */
    abort: (path: string, id: string): Promise<boolean> => abort(bucket, keyOf(path), id),

    async delete(paths, signal) {
      // In groups, one after another: pages are deleted before the files that they show.
      const isPage = (path: string): boolean => path.endsWith('.html')
      for (const group of [paths.filter(isPage), paths.filter((path) => !isPage(path))])
        await forEachConcurrently(group, requestsAtATime, signal, remove)
    },

    /** Sends and deletes a file of this size. */
    async mustHaveRoom(bytes: number, path: string, signal: AbortSignal): Promise<void> {
      if (bytes === 0) return
      const zeros = zerosOf(Math.min(bytes, roomTriedMax))
      await upload(bucket, { key: keyOf(path), headers: textFile('', '').headers, ...zeros }, waitsMs, signal, unnoted)
      await remove(path, signal)
    },

    /** Aborts the uploads of these files in parts. */
    async dropStaged(paths: ReadonlySet<string>): Promise<void> {
      if (paths.size === 0) return
      const keys = new Set([...paths].map(keyOf))
      // Uploads in parts of other programs, and of files that no publication of this site has started, are not ours to
      // abort.
      for (const { key, uploadId } of await openUploads(bucket, prefix))
        if (keys.has(key)) await abort(bucket, key, uploadId)
    },

    async probe(path, text) {
      const { objects } = await list(bucket, `${start}${probeStart(path)}`, null)
      const isLeft = leftBeside(path)
      for (const name of objects.map(({ key }) => key.slice(start.length)).filter((each) => isLeft(folderOf(each))))
        await remove(name, never)
      await put(textFile(path, text, pageMediaType(path)), never)
      return () => remove(path, never)
    },

    close: async () => undefined,
  } satisfies Store & Readonly<Record<string, unknown>>
}

/** Those of these paths that are below a prefix. */
async function listed(bucket: Bucket, start: string, wanted: ReadonlySet<string>, signal: AbortSignal) {
  const found = new Map<string, ListedFile>()
  let after: string | null = null
  if (wanted.size === 0) return found
  do {
    const page: ListedPage = await list(bucket, start, after)
    signal.throwIfAborted()
    for (const { key, sizeBytes: bytes, md5 } of page.objects) {
      const path = key.slice(start.length)
      if (wanted.has(path)) found.set(path, { bytes, md5 })
    }
    after = page.next
  } while (after !== null)
  return found
}

async function get<Value>(
  bucket: Bucket,
  key: string,
  take: (bytes: AsyncIterable<Buffer>) => Promise<Value>,
): Promise<Value | null> {
  const taken: { value: Value | null } = { value: null }
  const receive = async (body: Readable, headers: IncomingHttpHeaders): Promise<string> => {
    taken.value = await take(unpacked(body, String(headers['content-encoding'])))
    return ''
  }
  const answer = await bucket.ask({ method: 'GET', key, receive }, never)
  if (answer.status === 200) return taken.value
  if (answer.status === 404 && !answer.text.includes('NoSuchBucket')) return null
  throw bucket.refused(answer)
}

/** A file of zeros. */
function zerosOf(sizeBytes: number) {
  const piece = Buffer.alloc(Math.min(sizeBytes, 64 * 1024))
  function* pieces(length: number): Iterable<Buffer> {
    for (let left = length; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length))
  }
  const hash = createHash('sha256')
  for (const each of pieces(sizeBytes)) hash.update(each)
  const read = (_offset: number, length: number) => Readable.from(pieces(length))
  return { sizeBytes, sha256: hash.digest('hex'), read }
}

/** A file in the form in which a bucket has it. */
async function asStored(file: OutgoingFile, key: string, compressed: boolean): Promise<KeyedFile> {
  const { bytes: sizeBytes, sha256, headers, isText } = file
  if (!compressed || !isText || sizeBytes < leastToCompress)
    return { key, sizeBytes, sha256, headers, read: (offset, length) => file.read(offset, length) }
  const bytes = await compress(await buffer(file.read(0, sizeBytes)), { level: 9 })
  return {
    key,
    sizeBytes: bytes.length,
    sha256: sha256Of(bytes),
    headers: { ...headers, 'content-encoding': 'gzip' },
    read: (offset, length) => Readable.from([bytes.subarray(offset, offset + length)]),
  }
}

/** Uploads in parts that were started and not completed; none if the keys may not list them. */
async function openUploads(bucket: Bucket, prefix: string) {
  const query = new URLSearchParams({ uploads: '', ...(prefix !== '' && { prefix: `${prefix}/` }) })
  const receive = async (body: Readable): Promise<string> => (await buffer(body)).toString()
  const asked = query.toString().replaceAll('+', '%20')
  const answer = await bucket.ask({ method: 'GET', key: '', query: asked, receive }, new AbortController().signal)
  if (answer.status !== 200) return []
  return [...answer.text.matchAll(/<Upload>(.*?)<\/Upload>/gs)].flatMap(([, upload = '']) => {
    const key = /<Key>([^<]*)<\/Key>/.exec(upload)?.[1]
    const uploadId = /<UploadId>([^<]*)<\/UploadId>/.exec(upload)?.[1]
    return key === undefined || uploadId === undefined
      ? []
      : [{ key: key.split('/').map(encodeSegment).join('/'), uploadId }]
  })
}

interface ListedPage {
  readonly objects: readonly { readonly key: string; readonly sizeBytes: number; readonly md5: string | null }[]
  readonly next: string | null
}

/** A thousand objects of a bucket, sorted by key. */
async function list(bucket: Bucket, prefix: string, after: string | null): Promise<ListedPage> {
  const query = new URLSearchParams({ 'list-type': '2', prefix, 'encoding-type': 'url' })
  if (after !== null) query.set('continuation-token', after)
  const answer = await bucket.ask(
    {
      method: 'GET',
      key: '',
      query: query.toString().replaceAll('+', '%20'),
      receive: async (body) => (await buffer(body)).toString(),
    },
    new AbortController().signal,
  )
  if (answer.status !== 200) throw bucket.refused(answer)
  const objects = [...answer.text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, content = '']) => {
    const key = /<Key>([^<]*)<\/Key>/.exec(content)?.[1]
    const size = /<Size>(\d+)<\/Size>/.exec(content)?.[1]
    if (key === undefined || size === undefined) return []
    const md5 = /<ETag>(?:"|&quot;|&#34;)?([0-9a-f]{32})(?:"|&quot;|&#34;)?<\/ETag>/.exec(content)?.[1] ?? null
    return [{ key: listedKeys(key)[0] ?? key, sizeBytes: Number(size), md5 }]
  })
  const [, token] = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(answer.text) ?? []
  const next = token === undefined ? null : token.replaceAll('&amp;', '&')
  // A storage that ignores the token would be listed for ever.
  if (next !== null && next === after) throw new CausedError(cause('bucket_not_s3', { name: answer.status }))
  return { objects, next }
}
