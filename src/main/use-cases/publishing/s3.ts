import type { Agent } from 'undici'

import { CausedError, cause } from '../../../contract/cause.ts'
import { cacheControl, mediaType, storedMediaType, typeBytes } from '../../../contract/domain/media-types.ts'
import { encodeSegment } from '../../../contract/protocol/public-url.ts'
import type { PublicFile, Publisher } from '../../library/vault/publisher.ts'
import { kept } from '../../library/vault/publisher.ts'
import type { AdoptionOutcome, Vault } from '../../library/vault/vault.ts'
import type { Bucket } from '../../platform/s3/bucket.ts'
import type { KeyedFile as Keyed, PartNotes } from '../../platform/s3/upload.ts'
import { abort, findObject, upload } from '../../platform/s3/upload.ts'
import { eitherSignal, forEachConcurrently } from '../../platform/timing/concurrency.ts'
import type { createBucketHolder } from './bucket-holder.ts'
import type { createHeldObjects } from './held-objects.ts'
import { namesIn } from './public-path.ts'
import { publicReadBytes, readPublicMedia } from './public-read.ts'
import type { createUnsettledUploads, Notes, UnsettledUploads, UploadedObject } from './unsettled-uploads.ts'

/** The dependencies shared by all saves of a process. */
export interface S3Ports {
  readonly vault: Pick<Vault, 'read' | 'readBytes'>
  readonly held: ReturnType<typeof createHeldObjects>
  readonly unsettled: ReturnType<typeof createUnsettledUploads>
  readonly holder: ReturnType<typeof createBucketHolder>
  /** Whether a stored version or font set uses this path, or may use it. */
  readonly isReferenced: (path: string) => boolean
  readonly waitsMs: readonly number[]
  /** Aborts when Galley closes. */
  readonly closing: AbortSignal
}

/** The upload target and the public URL of a site's files. */
export interface UploadTarget {
  readonly bucket: Bucket
  readonly prefix: string
  /** null: the public URL is not checked. */
  readonly publicUrl: { readonly base: string; readonly agent: Agent } | null
}

type KeyedFile = PublicFile & Keyed

/** Concurrent uploads per save, to hide the latency of a distant storage. */
export const requestsAtATime = 16
const deletionLimitMs = 10_000

interface Uploaded extends UnsettledUploads {
  /** Whether a stored version or a public file may refer to the objects, so that they must stay. */
  isReferenced: boolean
}

/** The files of a save, and the notes about them. */
interface Noted {
  readonly uploaded: Uploaded
  readonly notes: Notes
}

/** The time limit for a save's files: enough at half a megabit per second. */
const publishLimitMs = (sizeBytes: number): number => 120_000 + Math.ceil(sizeBytes / 64)

const encodedPrefix = (prefix: string): string =>
  prefix
    .split('/')
    .filter(Boolean)
    .map((segment) => `${encodeSegment(segment)}/`)
    .join('')

/**
 * The object key of a public path, percent-encoded. Encoded slashes in names become slashes of the key. A path that would
 * leave the prefix is an error, because URLs with `..` are resolved before they are sent.
 */
export const keyOf = (prefix: string, path: string): string =>
  `${encodedPrefix(prefix)}${namesIn(path).map(encodeSegment).join('/')}`

/** The prefix of an object, percent-encoded. */
const prefixOf = ({ key, path }: UploadedObject): string => key.slice(0, key.length - keyOf('', path).length)

const keyed = (file: PublicFile, prefix: string, vault: Pick<Vault, 'read'>): KeyedFile => ({
  ...file,
  key: keyOf(prefix, file.path),
  sizeBytes: file.slice.sizeBytes,
  headers: {
    'content-type': mediaType(decodeURIComponent(file.path)),
    'cache-control': file.immutable ? cacheControl.immutable : cacheControl.changing,
  },
  read: (offset, sizeBytes) => vault.read({ ...file.slice, offset: file.slice.offset + offset, sizeBytes }),
})

/** More than most drawings. A larger one is not checked, because that would block the main thread. */
const checkedDrawingBytes = 128 * 1024

/**
 * The file with its final headers, for which its bytes may decide. A drawing that may run scripts becomes a download when its URL is opened, so it cannot run
 * with the rights of the bucket's domain. Pictures in pages ignore this header.
 */
async function withoutScripts(keyed: KeyedFile, vault: Pick<Vault, 'readBytes'>): Promise<KeyedFile> {
  const { slice } = keyed
  const type = await storedMediaType(decodeURIComponent(keyed.path), () =>
    vault.readBytes({ ...slice, sizeBytes: Math.min(slice.sizeBytes, typeBytes) }),
  )
  const file = { ...keyed, headers: { ...keyed.headers, 'content-type': type } }
  if (type !== 'image/svg+xml') return file
  // Loaded here, because most starts do not need its parsers.
  const { isPassiveSvg } = await import('../../../contract/domain/bundle/svg.ts')
  const isChecked = file.sizeBytes <= checkedDrawingBytes
  if (isChecked && isPassiveSvg((await vault.readBytes(file.slice)).toString())) return file
  return { ...file, headers: { ...file.headers, 'content-disposition': 'attachment' } }
}

/**
 * Uploads public files to a bucket concurrently. Immutable paths contain the hash of the content or the id of a font set, so
 * existing objects with the same content stay. Paths with changing content are uploaded last, after all others can be
 * fetched.
 */
export function s3Publisher(place: () => Promise<UploadTarget>, ports: S3Ports): Publisher {
  const { held, unsettled } = ports

  return {
    async publish(files) {
      if (files.length === 0) return kept
      const at = await place()
      const { bucket, prefix } = at
      const wanted = [...new Map(files.map((file) => [file.path, keyed(file, prefix, ports.vault)])).values()]
      const limitMs = publishLimitMs(wanted.reduce((sum, { slice }) => sum + slice.sizeBytes, 0))
      const limit = AbortSignal.timeout(limitMs)
      const notes = unsettled.begin()
      const uploaded: Uploaded = { root: bucket.root, objects: [], uploads: [], isReferenced: false }
      for (const { key } of wanted) await held.hold(`${bucket.root}/${key}`)

      async function settle(outcome: AdoptionOutcome): Promise<void> {
        // Only the log knows whether the save was stored. The next process to open the library checks it.
        if (outcome === 'unknown') return
        const isUnused = outcome === 'nothing_stored' && !uploaded.isReferenced
        const ours = new Set(uploaded.objects.map(({ key }) => key))
        const isAllGone = await releaseObjects(ports, bucket, wanted, (key) => isUnused && ours.has(key))
        const areEnded = await Promise.all(uploaded.uploads.map(({ key, id }) => abort(bucket, key, id)))
        notes.end(isAllGone && areEnded.every(Boolean) ? 'now' : 'later')
      }

      try {
        const sending = send(ports, at, wanted, { uploaded, notes }, eitherSignal(limit, ports.closing))
        for (const ended of await Promise.allSettled([sending, sweep(ports, bucket)])) {
          if (ended.status === 'rejected') throw ended.reason
        }
      } catch (error) {
        await settle('nothing_stored')
        if (ports.closing.aborted) throw new CausedError(cause('closing'))
        if (limit.aborted) throw new CausedError(cause('bucket_slow', { name: Math.round(limitMs / 1000) }))
        throw error
      }
      return { settle }
    },
  }
}

/** Uploads missing files and checks that they are publicly readable. */
async function send(
  ports: S3Ports,
  { bucket, prefix, publicUrl }: UploadTarget,
  files: readonly KeyedFile[],
  { uploaded, notes }: Noted,
  signal: AbortSignal,
): Promise<void> {
  const { waitsMs, holder } = ports
  await holder.claim(bucket, encodedPrefix(prefix), signal)
  const immutable = files.filter((file) => file.immutable)
  const missing: KeyedFile[] = []
  let isRefused = false
  await forEachConcurrently(immutable, requestsAtATime, signal, async (each, stop) => {
    const file = await withoutScripts(each, ports.vault)
    const found = await findObject(bucket, file, stop)
    if (found === 'refused') isRefused = true
    if (found !== 'there') missing.push(file)
  })
  const put = async (file: KeyedFile, stop: AbortSignal): Promise<void> =>
    void (await upload(bucket, file, waitsMs, stop, partNotes(file, { uploaded, notes })))
  if (missing.length > 0) {
    uploaded.objects.push(...missing.map(({ key, path }) => ({ key, path })))
    notes.note(uploaded)
    const waiting = missing.toSorted((a, b) => a.slice.sizeBytes - b.slice.sizeBytes)
    // Tries one small file first, so that missing permissions are reported before large bodies are sent.
    const [first] = isRefused ? waiting.splice(0, 1) : []
    if (first) await put(first, signal)
    await forEachConcurrently(waiting, requestsAtATime, signal, put)
  }
  const shown = [...missing, ...immutable].find(({ slice }) => slice.sizeBytes > 0)
  if (publicUrl && shown) await mustBePublic(ports, publicUrl, shown, signal)
  for (const file of files) {
    if (file.immutable) continue
    // From here on, the file may refer to the others, even if the save fails.
    uploaded.isReferenced = true
    await put(file, signal)
  }
}

/** A multipart upload is recorded before its first part until it has ended. */
const partNotes = ({ key }: KeyedFile, { uploaded, notes }: Noted): PartNotes => ({
  begun(id: string): void {
    uploaded.uploads.push({ key, id })
    notes.note(uploaded)
  },
  ended: (id: string): void =>
    void uploaded.uploads.splice(
      uploaded.uploads.findIndex((each) => each.id === id),
      1,
    ),
})

/** Throws if a file cannot be fetched from its public URL after several attempts. */
async function mustBePublic(
  { vault, waitsMs }: S3Ports,
  { base, agent }: NonNullable<UploadTarget['publicUrl']>,
  { path, slice }: KeyedFile,
  signal: AbortSignal,
): Promise<void> {
  const name = decodeURIComponent(path)
  const start = await vault.readBytes({ ...slice, sizeBytes: Math.min(slice.sizeBytes, publicReadBytes) })
  const type = await storedMediaType(name, async () => start)
  const { problem } = await readPublicMedia(`${base}${path}`, { start, type }, { agent, signal, waitsMs })
  if (problem === null) return
  signal.throwIfAborted()
  throw new CausedError(problem)
}

/**
 * Releases objects. Deletes those of failed saves that no other save uses, and that no other library may use. Returns false if
 * some could not be deleted.
 */
async function releaseObjects(
  { held, isReferenced, holder }: S3Ports,
  bucket: Bucket,
  objects: readonly UploadedObject[],
  isLeftOver: (key: string) => boolean,
): Promise<boolean> {
  let isAllGone = true
  const limit = AbortSignal.timeout(deletionLimitMs)
  const alone = new Map<string, Promise<boolean>>()
  const isAlone = (prefix: string): Promise<boolean> => {
    const asked = alone.get(prefix) ?? holder.isAlone(bucket, prefix, limit)
    alone.set(prefix, asked)
    return asked
  }
  const remove = async (object: UploadedObject): Promise<void> => {
    const { key, path } = object
    if (isReferenced(path) || !(await isAlone(prefixOf(object)))) return
    const answer = await bucket.attempt({ method: 'DELETE', key }, limit).catch(() => null)
    isAllGone &&= answer !== null && 'status' in answer && answer.status < 300
  }
  await Promise.all(
    objects.map((object) => held.release(`${bucket.root}/${object.key}`, isLeftOver(object.key), () => remove(object))),
  )
  return isAllGone
}

/** Deletes leftovers of killed processes from the bucket. */
async function sweep(ports: S3Ports, bucket: Bucket): Promise<void> {
  const { held, unsettled } = ports
  for (const { uploads, end } of unsettled.leftIn(bucket.root)) {
    for (const { key } of uploads.objects) await held.hold(`${bucket.root}/${key}`)
    const areGone = await releaseObjects(ports, bucket, uploads.objects, () => true)
    const areEnded = await Promise.all(uploads.uploads.map(({ key, id }) => abort(bucket, key, id)))
    end(areGone && areEnded.every(Boolean) ? 'now' : 'later')
  }
}
