import { setTimeout as delay } from 'node:timers/promises'
import type { Agent } from 'undici'

import { CausedError, cause } from '../../../contract/cause.ts'
import { mediaType } from '../../../contract/domain/media-types.ts'
import { encodeSegment } from '../../../contract/protocol/public-url.ts'
import type { AdoptionOutcome, Vault } from '../../library/vault/vault.ts'
import type { Bucket } from '../../platform/s3/bucket.ts'
import type { createHeldObjects } from './held-objects.ts'
import { publicReadBytes, readPublic } from './public-read.ts'
import type { PublicFile, Publisher } from '../../library/vault/publisher.ts'
import { kept } from '../../library/vault/publisher.ts'
import { either, sideBySide } from '../../platform/s3/side-by-side.ts'
import type { createUnsettledUploads, Notes, UnsettledUploads, UploadedObject } from './unsettled-uploads.ts'
import type { OutgoingFile, PartNotes } from '../../platform/s3/upload.ts'
import { abort, lookFor, upload } from '../../platform/s3/upload.ts'

/** What all saves of a process share. */
export interface S3Ports {
  readonly vault: Pick<Vault, 'read' | 'readBytes'>
  readonly held: ReturnType<typeof createHeldObjects>
  readonly unsettled: ReturnType<typeof createUnsettledUploads>
  /** Whether a stored version or font set names this path. */
  readonly isNamed: (path: string) => boolean
  readonly waitsMs: readonly number[]
  /** Aborts when Galley closes. */
  readonly closing: AbortSignal
}

/** Where the files of a site go, and how strangers get them. */
export interface S3Place {
  readonly bucket: Bucket
  readonly prefix: string
  /** null: nobody looks whether files can be fetched. */
  readonly publicUrl: { readonly base: string; readonly agent: Agent } | null
}

type KeyedFile = PublicFile & OutgoingFile

/** Files of a save at a time: what hides the latency of a far storage. */
export const requestsAtATime = 16
const deletionLimitMs = 10_000

interface Brought extends UnsettledUploads {
  /** Something that stays names the objects. */
  isNamed: boolean
}

/** What a save brings, and where that is noted. */
interface Noted {
  readonly brought: Brought
  readonly notes: Notes
}

/** How long the files of a save may take: a slow line of half a megabit gets there. */
const publishLimitMs = (sizeBytes: number): number => 120_000 + Math.ceil(sizeBytes / 64)

/** A public path as a key, percent-encoded: names may hold slashes, which a key has as they are. */
export const keyOf = (prefix: string, path: string): string =>
  `${prefix}${decodeURIComponent(path)}`.split('/').filter(Boolean).map(encodeSegment).join('/')

const keyed = (file: PublicFile, prefix: string, vault: Pick<Vault, 'read'>): KeyedFile => ({
  ...file,
  key: keyOf(prefix, file.path),
  sizeBytes: file.slice.sizeBytes,
  headers: {
    'content-type': mediaType(decodeURIComponent(file.path)),
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  },
  read: (offset, sizeBytes) => vault.read({ ...file.slice, offset: file.slice.offset + offset, sizeBytes }),
})

/**
 * Puts public files into a bucket, side by side. Immutable paths carry the hash of the content or the name of a font set, so
 * what is there already with the same content stays; the paths whose content changes come last, when all else can be fetched.
 */
export function s3Publisher(place: () => Promise<S3Place>, ports: S3Ports): Publisher {
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
      const brought: Brought = { root: bucket.root, objects: [], uploads: [], isNamed: false }
      for (const { key } of wanted) await held.hold(`${bucket.root}/${key}`)

      async function settle(outcome: AdoptionOutcome): Promise<void> {
        // Only the log knows whether the save was stored; whoever opens the library next asks it.
        if (outcome === 'unknown') return
        const isInVain = outcome === 'nothing_stored' && !brought.isNamed
        const ours = new Set(brought.objects.map(({ key }) => key))
        const isAllGone = await letGo(ports, bucket, wanted, (key) => isInVain && ours.has(key))
        const areEnded = await Promise.all(brought.uploads.map(({ key, id }) => abort(bucket, key, id)))
        notes.end(isAllGone && areEnded.every(Boolean) ? 'now' : 'later')
      }

      try {
        const sending = send(ports, at, wanted, { brought, notes }, either(limit, ports.closing))
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

/** Sends what is not there yet, and looks whether strangers get it. */
async function send(
  ports: S3Ports,
  { bucket, publicUrl }: S3Place,
  files: readonly KeyedFile[],
  { brought, notes }: Noted,
  signal: AbortSignal,
): Promise<void> {
  const { waitsMs } = ports
  const immutable = files.filter((file) => file.immutable)
  const missing: KeyedFile[] = []
  let isRefused = false
  await sideBySide(immutable, requestsAtATime, signal, async (file, stop) => {
    const found = await lookFor(bucket, file, stop)
    if (found === 'refused') isRefused = true
    if (found !== 'there') missing.push(file)
  })
  const put = (file: KeyedFile, stop: AbortSignal): Promise<void> =>
    upload(bucket, file, waitsMs, stop, partNotes(file, { brought, notes }))
  if (missing.length > 0) {
    brought.objects.push(...missing.map(({ key, path }) => ({ key, path })))
    notes.note(brought)
    const waiting = missing.toSorted((a, b) => a.slice.sizeBytes - b.slice.sizeBytes)
    // Who may not write is told so after one small file, whose answer no large body outruns.
    const [first] = isRefused ? waiting.splice(0, 1) : []
    if (first) await put(first, signal)
    await sideBySide(waiting, requestsAtATime, signal, put)
  }
  const shown = [...missing, ...immutable].find(({ slice }) => slice.sizeBytes > 0)
  if (publicUrl && shown) await mustBePublic(ports, publicUrl, shown, signal)
  for (const file of files) {
    if (file.immutable) continue
    // From here on it may name the others, whatever becomes of the save.
    brought.isNamed = true
    await put(file, signal)
  }
}

/** An upload in parts is noted before its first part and until it has ended, one way or the other. */
const partNotes = ({ key }: KeyedFile, { brought, notes }: Noted): PartNotes => ({
  begun(id: string): void {
    brought.uploads.push({ key, id })
    notes.note(brought)
  },
  ended: (id: string): void =>
    void brought.uploads.splice(
      brought.uploads.findIndex((each) => each.id === id),
      1,
    ),
})

/** Throws when strangers do not get a file at its public address, after some tries. */
async function mustBePublic(
  { vault, waitsMs }: S3Ports,
  { base, agent }: NonNullable<S3Place['publicUrl']>,
  { path, slice }: KeyedFile,
  signal: AbortSignal,
): Promise<void> {
  const name = decodeURIComponent(path)
  const start = await vault.readBytes({ ...slice, sizeBytes: Math.min(slice.sizeBytes, publicReadBytes) })
  for (const waitMs of [...waitsMs, null]) {
    const { problem, again } = await readPublic(`${base}${path}`, { start, type: mediaType(name) }, { agent, signal })
    if (problem === null) return
    if (!again || waitMs === null) throw new CausedError(problem)
    await delay(waitMs, undefined, { signal })
  }
}

/** Lets go of objects. What this or another save has brought in vain is deleted when nobody holds it; false: not all of it is. */
async function letGo(
  { held, isNamed }: S3Ports,
  bucket: Bucket,
  objects: readonly UploadedObject[],
  isLeftOver: (key: string) => boolean,
): Promise<boolean> {
  let isAllGone = true
  const limit = AbortSignal.timeout(deletionLimitMs)
  const remove = async ({ key, path }: UploadedObject): Promise<void> => {
    if (isNamed(path)) return
    const answer = await bucket.attempt({ method: 'DELETE', key }, limit).catch(() => null)
    isAllGone &&= answer !== null && 'status' in answer && answer.status < 300
  }
  await Promise.all(
    objects.map((object) => held.release(`${bucket.root}/${object.key}`, isLeftOver(object.key), () => remove(object))),
  )
  return isAllGone
}

/** Deletes what killed processes have left in the bucket. */
async function sweep(ports: S3Ports, bucket: Bucket): Promise<void> {
  const { held, unsettled } = ports
  for (const { uploads, end } of unsettled.leftIn(bucket.root)) {
    for (const { key } of uploads.objects) await held.hold(`${bucket.root}/${key}`)
    const areGone = await letGo(ports, bucket, uploads.objects, () => true)
    const areEnded = await Promise.all(uploads.uploads.map(({ key, id }) => abort(bucket, key, id)))
    end(areGone && areEnded.every(Boolean) ? 'now' : 'later')
  }
}
