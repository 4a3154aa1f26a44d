import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import { CausedError, cause } from '../../../contract/cause.ts'
import { pageMediaType } from '../../../contract/domain/media-types.ts'
import { encodeSegment } from '../../../contract/protocol/public-url.ts'
import { sha256Of } from '../../platform/disk/sha256.ts'
import { chunksOf, digestFrom } from '../../platform/network/chunks.ts'
import { unpacked } from '../../platform/network/unpacked.ts'
import type { Bucket } from '../../platform/s3/bucket.ts'
import { listedKeys } from '../../platform/s3/listed-keys.ts'
import type { OutgoingFile } from '../../platform/s3/upload.ts'
import { abort, findObject, upload } from '../../platform/s3/upload.ts'
import { forEachConcurrently } from '../../platform/timing/concurrency.ts'
import { wholeOf } from './folder-target.ts'
import { leftBeside } from './probe-file.ts'
import type { ReleaseFile } from './release-record.ts'
import type { ListedFile, RemoteStore } from './remote-target.ts'
import type { OutgoingRelease } from './target-port.ts'
import { hasContentHash, isText } from './target-port.ts'

/** The prefix of Galley's own records in the bucket. */
const notes = '.galley'
/** Compression makes smaller texts larger. */
const leastToCompress = 512

const immutable = 'public, max-age=31536000, immutable'
/** Browsers and caches ask each time whether a page has changed, and download it only if it has. */
const mustAsk = 'public, max-age=0, must-revalidate'

/** Trying for more would take a slow connection minutes. */
const roomTriedMax = 32 * 1024 ** 2

const compress = promisify(gzip)

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')

const never = new AbortController().signal

/** Single small objects of a bucket. Each function throws what the bucket refuses. */
function objectsIn(bucket: Bucket) {
  async function putBytes(key: string, bytes: Buffer, headers: Readonly<Record<string, string>>): Promise<void> {
    const payload = { sha256: sha256Of(bytes), sizeBytes: bytes.length, read: () => Readable.from([bytes]) }
    const answer = await bucket.ask({ method: 'PUT', key, headers, payload }, never)
    if (answer.status !== 200) throw bucket.refused(answer)
  }

  async function removeKey(key: string, signal: AbortSignal): Promise<void> {
    const answer = await bucket.ask({ method: 'DELETE', key }, signal)
    if (answer.status >= 300 && answer.status !== 404) throw bucket.refused(answer)
  }

  /** The body of a response with status 200; null if the object does not exist. */
  async function get(key: string, receive: (body: Readable) => Promise<string>) {
    const answer = await bucket.ask({ method: 'GET', key, receive }, never)
    if (answer.status === 200) return answer.text
    if (answer.status === 404 && !answer.text.includes('NoSuchBucket')) return null
    throw bucket.refused(answer)
  }

  return { putBytes, removeKey, get }
}

/**
 * A bucket, or a prefix of one, as the storage of a site. `noteBucket` is the same bucket, whose requests do not wait for files
 * that are sent: the note of a publication must change while they are.
 */
export function s3Store(
  { bucket, noteBucket }: { readonly bucket: Bucket; readonly noteBucket: Bucket },
  {
    prefix,
    compressed,
    waitsMs,
  }: { readonly prefix: string; readonly compressed: boolean; readonly waitsMs: readonly number[] },
): RemoteStore {
  const keyOf = (path: string): string =>
    [...prefix.split('/'), ...path.split('/')].filter(Boolean).map(encodeSegment).join('/')
  const start = prefix === '' ? '' : `${prefix}/`
  const noteKey = (name: string): string => keyOf(`${notes}/${name}`)
  const { putBytes, removeKey, get } = objectsIn(bucket)
  const noteObjects = objectsIn(noteBucket)

  return {
    atATime: 16,
    readNote: (name) => noteObjects.get(noteKey(name), async (body) => (await wholeOf(body)).toString()),
    writeNote: (name, text) =>
      noteObjects.putBytes(noteKey(name), Buffer.from(text), {
        'content-type': 'application/json',
        'cache-control': 'no-store',
      }),
    removeNote: (name) => noteObjects.removeKey(noteKey(name), never),

    async list(paths, signal) {
      const wanted = new Set(paths)
      const found = new Map<string, ListedFile>()
      if (paths.length === 0) return found
      let after: string | null = null
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
    },

    async put(release, file, signal) {
      const outgoing = await outgoingOf(release, file, keyOf(file.path), compressed)
      const md5 = await upload(bucket, outgoing, waitsMs, signal, { begun: () => undefined, ended: () => undefined })
      const { sizeBytes } = outgoing
      // A storage that encrypts with a key of its own has other ETags.
      const isMd5 = md5 !== null && md5 === (await digestFrom(createHash('md5'), outgoing.read(0, sizeBytes)))
      return { ...(sizeBytes !== file.bytes && { storedBytes: sizeBytes }), ...(isMd5 && { md5 }) }
    },

    mustHaveRoom: (bytes, signal) => tryRoom(bucket, noteKey('room'), bytes, { waitsMs, signal }),

    remove: (paths, signal) =>
      // In groups, one after another: pages are deleted before the files that they show.
      removeInOrder(paths, signal, (path, stop) => removeKey(keyOf(path), stop)),

    async has(release, file) {
      const outgoing = await outgoingOf(release, file, keyOf(file.path), compressed)
      return (await findObject(bucket, outgoing, never)) === 'there'
    },

    async dropStaged(paths) {
      if (paths.size === 0) return
      const keys = new Set([...paths].map(keyOf))
      // Uploads in parts of other programs, and of files that no publication of this site has started, are not ours to
      // abort.
      for (const { key, uploadId } of await openUploads(bucket, prefix))
        if (keys.has(key)) await abort(bucket, key, uploadId)
    },

    async hash(path) {
      const { sha256, receive } = hashing(isText(path))
      const found = await get(keyOf(path), receive)
      return found === null ? null : sha256()
    },

    async probe(path, text) {
      const { objects } = await list(bucket, `${start}${path.slice(0, path.lastIndexOf('-') + 1)}`, null)
      const isLeft = leftBeside(path)
      for (const name of objects.map(({ key }) => key.slice(start.length)).filter((each) => isLeft(folderOf(each))))
        await removeKey(keyOf(name), never)
      await putBytes(keyOf(path), Buffer.from(text), {
        'content-type': pageMediaType(path),
        'cache-control': 'no-store',
      })
      return () => removeKey(keyOf(path), never)
    },

    close: async () => undefined,
  }
}

/** Sends and deletes an object of this size. */
async function tryRoom(
  bucket: Bucket,
  key: string,
  bytes: number,
  { waitsMs, signal }: { readonly waitsMs: readonly number[]; readonly signal: AbortSignal },
): Promise<void> {
  if (bytes === 0) return
  const file = { key, headers: { 'cache-control': 'no-store' }, ...zerosOf(Math.min(bytes, roomTriedMax)) }
  await upload(bucket, file, waitsMs, signal, { begun: () => undefined, ended: () => undefined })
  const answer = await bucket.ask({ method: 'DELETE', key }, signal)
  if (answer.status >= 300 && answer.status !== 404) throw bucket.refused(answer)
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

async function removeInOrder(
  paths: readonly string[],
  signal: AbortSignal,
  remove: (path: string, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const isPage = (path: string): boolean => path.endsWith('.html')
  for (const group of [paths.filter(isPage), paths.filter((path) => !isPage(path))])
    await forEachConcurrently(group, 16, signal, remove)
}

async function outgoingOf(
  release: OutgoingRelease,
  file: ReleaseFile,
  key: string,
  compressed: boolean,
): Promise<OutgoingFile> {
  const headers = {
    'content-type': pageMediaType(file.path),
    'cache-control': hasContentHash(file.path) ? immutable : mustAsk,
  }
  if (!compressed || !isText(file.path) || file.bytes < leastToCompress) {
    const read = (offset: number, sizeBytes: number) => release.read(file, offset, sizeBytes)
    return { key, sizeBytes: file.bytes, sha256: file.sha256, headers, read }
  }
  const bytes = await compress(await wholeOf(release.read(file, 0, file.bytes)), { level: 9 })
  return {
    key,
    sizeBytes: bytes.length,
    sha256: sha256Of(bytes),
    headers: { ...headers, 'content-encoding': 'gzip' },
    read: (offset, sizeBytes) => Readable.from([bytes.subarray(offset, offset + sizeBytes)]),
  }
}

/** Hashes a body as it arrives. A text may be stored compressed; a media file may be a gzip file itself. */
function hashing(mayBePacked: boolean) {
  const hash = createHash('sha256')
  return {
    sha256: () => hash.digest('hex'),
    async receive(body: Readable): Promise<string> {
      const chunks = chunksOf(body)
      const [first, rest] = await startOf(chunks)
      const isPacked = mayBePacked && first[0] === 0x1f && first[1] === 0x8b
      for await (const chunk of unpacked(Readable.from(rest), isPacked ? 'gzip' : '')) hash.update(chunk)
      return ''
    },
  }
}

/** The first bytes of a body, and the whole body. */
async function startOf(chunks: AsyncIterable<Buffer>): Promise<[Buffer, AsyncIterable<Buffer>]> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  const start = first.done === true ? Buffer.alloc(0) : first.value
  async function* all(): AsyncIterable<Buffer> {
    if (start.length > 0) yield start
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
  }
  return [start, all()]
}

/** Uploads in parts that were started and not completed; none if the keys may not list them. */
async function openUploads(bucket: Bucket, prefix: string) {
  const query = new URLSearchParams({ uploads: '', ...(prefix !== '' && { prefix: `${prefix}/` }) })
  const receive = async (body: Readable): Promise<string> => (await wholeOf(body)).toString()
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
      receive: async (body) => (await wholeOf(body)).toString(),
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
