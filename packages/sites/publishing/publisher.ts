import type { AdoptionOutcome, PublicFile, Publisher, Vault } from '@galley/library'
import { kept } from '@galley/library'
import type { OutgoingFile, PartNotes, Store } from '@galley/platform'
import { eitherSignal, forEachConcurrently } from '@galley/platform'
import { CausedError, cacheControl, cause, mediaType, storedMediaType, typeBytes } from '@galley/wire'
import type { Agent } from 'undici'

import type { createClaims } from './claims.ts'
import type { createHeldObjects } from './held-objects.ts'
import { namesIn } from './public-path.ts'
import { publicReadBytes, readPublicMedia } from './public-read.ts'
import type { createUnsettledUploads, Notes, SentFile, UnsettledUploads } from './unsettled-uploads.ts'

/** The dependencies shared by all saves of a process. */
export interface SharedPorts {
  readonly vault: Pick<Vault, 'read' | 'readBytes'>
  readonly held: ReturnType<typeof createHeldObjects>
  readonly unsettled: ReturnType<typeof createUnsettledUploads>
  readonly claims: ReturnType<typeof createClaims>
  /** Whether a stored version or font set uses this path, or may use it. */
  readonly isReferenced: (path: string) => boolean
  readonly waitsMs: readonly number[]
  /** Aborts when Galley closes. */
  readonly closing: AbortSignal
}

/** What saves need of a store. */
export interface MediaStore extends Pick<Store, 'atATime' | 'head' | 'get' | 'put' | 'delete'> {
  /** Names the store, for what this computer notes of it. */
  readonly address: string
  /** Whether it has the headers of files. */
  readonly hasHeaders: boolean
  /** Like `put`; returns false if there is such a file, which stays. */
  create(file: OutgoingFile, signal: AbortSignal): Promise<boolean>
  /** Aborts an upload in parts. Returns false if the store did not respond. */
  abort?(path: string, id: string): Promise<boolean>
  /** Makes files survive a power failure, in stores that do not by themselves. */
  sync?(paths: readonly string[]): Promise<void>
}

/** Where the files of a site go. */
export interface MediaPlace {
  readonly store: MediaStore
  /** Of the paths in the store; ends with a slash or is empty. */
  readonly prefix: string
  /** Null: the public URL is not checked. */
  readonly publicUrl: { readonly base: string; readonly agent: Agent } | null
  /** Null: as long as it takes. */
  readonly limitMs: ((sizeBytes: number) => number) | null
}

/** A file of a save. `path` is that in the store. */
type SavedFile = OutgoingFile & Pick<PublicFile, 'slice' | 'immutable'> & { readonly publicPath: string }

const deletionLimitMs = 10_000

interface Uploaded extends UnsettledUploads {
  /** Whether a stored version or a public file may refer to the files, so that they must stay. */
  isReferenced: boolean
}

/** The files of a save, and the notes about them. */
interface Noted {
  readonly uploaded: Uploaded
  readonly notes: Notes
}

/**
 * The path of a public file in its store. Encoded slashes in names become slashes. A path that would leave the prefix is an
 * error.
 */
export const pathIn = (prefix: string, publicPath: string): string => `${prefix}${namesIn(publicPath).join('/')}`

/** The prefix of a file that was sent. */
const prefixOf = ({ key, path }: SentFile): string => key.slice(0, key.length - pathIn('', path).length)

const savedFile = ({ path, ...file }: PublicFile, prefix: string, vault: Pick<Vault, 'read'>): SavedFile => ({
  ...file,
  publicPath: path,
  path: pathIn(prefix, path),
  bytes: file.slice.sizeBytes,
  headers: {
    'content-type': mediaType(decodeURIComponent(path)),
    'cache-control': file.immutable ? cacheControl.immutable : cacheControl.changing,
  },
  isText: false,
  read: (offset, sizeBytes) => vault.read({ ...file.slice, offset: file.slice.offset + offset, sizeBytes }),
})

/** More than most drawings. A larger one is not checked, because that would block the main thread. */
const checkedDrawingBytes = 128 * 1024

/**
 * The file with its final headers, for which its bytes may decide. A drawing that may run scripts becomes a download when its URL is opened, so it cannot run
 * with the rights of the bucket's domain. Pictures in pages ignore this header.
 */
async function withoutScripts(saved: SavedFile, vault: Pick<Vault, 'readBytes'>): Promise<SavedFile> {
  const { slice } = saved
  const type = await storedMediaType(decodeURIComponent(saved.publicPath), () =>
    vault.readBytes({ ...slice, sizeBytes: Math.min(slice.sizeBytes, typeBytes) }),
  )
  const file = { ...saved, headers: { ...saved.headers, 'content-type': type } }
  if (type !== 'image/svg+xml') return file
  // Loaded here, because most starts do not need its parsers.
  const { isPassiveSvg } = await import('../bundle/svg.ts')
  const isChecked = file.bytes <= checkedDrawingBytes
  if (isChecked && isPassiveSvg((await vault.readBytes(file.slice)).toString())) return file
  return { ...file, headers: { ...file.headers, 'content-disposition': 'attachment' } }
}

/**
 * Sends the public files of saves to a store. Immutable paths contain the hash of the content or the id of a font set, so
 * files that are there with the same content stay. Paths with changing content are sent last, after all others can be fetched.
 * What only a failed save has sent is deleted.
 */
export function createPublisher(place: () => Promise<MediaPlace>, ports: SharedPorts): Publisher {
  const { held, unsettled } = ports

  return {
    async publish(files) {
      if (files.length === 0) return kept
      const at = await place()
      const { store, prefix } = at
      const wanted = [...new Map(files.map((file) => [file.path, savedFile(file, prefix, ports.vault)])).values()]
      const limitMs = at.limitMs?.(wanted.reduce((sum, { bytes }) => sum + bytes, 0)) ?? null
      const limit = limitMs === null ? ports.closing : AbortSignal.timeout(limitMs)
      const notes = unsettled.begin()
      const uploaded: Uploaded = { root: store.address, objects: [], uploads: [], isReferenced: false }
      for (const { path } of wanted) await held.hold(`${store.address}/${path}`)

      async function settle(outcome: AdoptionOutcome): Promise<void> {
        // Only the log knows whether the save was stored. The next process to open the library checks it.
        if (outcome === 'unknown') return
        const isUnused = outcome === 'nothing_stored' && !uploaded.isReferenced
        const ours = new Set(uploaded.objects.map(({ key }) => key))
        const released = wanted.map(({ path: key, publicPath: path }) => ({ key, path }))
        const isAllGone = await releaseFiles(ports, store, released, (key) => isUnused && ours.has(key))
        notes.end((await areEnded(store, uploaded)) && isAllGone ? 'now' : 'later')
      }

      try {
        const sending = send(ports, at, wanted, { uploaded, notes }, eitherSignal(limit, ports.closing))
        for (const ended of await Promise.allSettled([sending, sweep(ports, store)])) {
          if (ended.status === 'rejected') throw ended.reason
        }
        await store.sync?.(wanted.map(({ path }) => path))
      } catch (error) {
        await settle('nothing_stored')
        if (ports.closing.aborted) throw new CausedError(cause('closing'))
        if (limitMs !== null && limit.aborted)
          throw new CausedError(cause('bucket_slow', { name: Math.round(limitMs / 1000) }))
        throw error
      }
      return { settle }
    },
  }
}

const areEnded = async ({ abort }: MediaStore, { uploads }: UnsettledUploads): Promise<boolean> =>
  (await Promise.all(uploads.map(async ({ key, id }) => (await abort?.(key, id)) !== false))).every(Boolean)

/** Sends missing files and checks that they are publicly readable. */
async function send(
  { vault, claims, waitsMs }: SharedPorts,
  { store, prefix, publicUrl }: MediaPlace,
  files: readonly SavedFile[],
  { uploaded, notes }: Noted,
  signal: AbortSignal,
): Promise<void> {
  await claims.claim(store, prefix, signal)
  const immutable = files.filter((file) => file.immutable)
  const missing: SavedFile[] = []
  let isRefused = false
  await forEachConcurrently(immutable, store.atATime, signal, async (each, stop) => {
    const file = store.hasHeaders ? await withoutScripts(each, vault) : each
    const found = await store.head(file, stop)
    if (found === 'refused') isRefused = true
    if (found !== 'there') missing.push(file)
  })
  const put = async (file: SavedFile, stop: AbortSignal): Promise<void> =>
    void (await store.put(file, stop, partNotes(file, { uploaded, notes })))
  if (missing.length > 0) {
    uploaded.objects.push(...missing.map(({ path: key, publicPath: path }) => ({ key, path })))
    notes.note(uploaded)
    const waiting = missing.toSorted((a, b) => a.bytes - b.bytes)
    // Tries one small file first, so that missing permissions are reported before large bodies are sent.
    const [first] = isRefused ? waiting.splice(0, 1) : []
    if (first) await put(first, signal)
    await forEachConcurrently(waiting, store.atATime, signal, put)
  }
  const shown = [...missing, ...immutable].find(({ bytes }) => bytes > 0)
  if (publicUrl && shown) await mustBePublic(vault, publicUrl, shown, { signal, waitsMs })
  for (const file of files) {
    if (file.immutable) continue
    // From here on, the file may refer to the others, even if the save fails.
    uploaded.isReferenced = true
    await put(file, signal)
  }
}

/** An upload in parts is recorded before its first part until it has ended. */
const partNotes = ({ path: key }: SavedFile, { uploaded, notes }: Noted): PartNotes => ({
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
  vault: SharedPorts['vault'],
  { base, agent }: NonNullable<MediaPlace['publicUrl']>,
  { publicPath, slice }: SavedFile,
  reader: { readonly signal: AbortSignal; readonly waitsMs: readonly number[] },
): Promise<void> {
  const start = await vault.readBytes({ ...slice, sizeBytes: Math.min(slice.sizeBytes, publicReadBytes) })
  const type = await storedMediaType(decodeURIComponent(publicPath), async () => start)
  const { problem } = await readPublicMedia(`${base}${publicPath}`, { start, type }, { agent, ...reader })
  if (problem === null) return
  reader.signal.throwIfAborted()
  throw new CausedError(problem)
}

/**
 * Releases files. Deletes those of failed saves that no other save uses, and that no other library may use. Returns false if
 * some could not be deleted.
 */
async function releaseFiles(
  { held, isReferenced, claims }: SharedPorts,
  store: MediaStore,
  files: readonly SentFile[],
  isLeftOver: (key: string) => boolean,
): Promise<boolean> {
  let isAllGone = true
  const limit = AbortSignal.timeout(deletionLimitMs)
  const alone = new Map<string, Promise<boolean>>()
  const isAlone = (prefix: string): Promise<boolean> => {
    const asked = alone.get(prefix) ?? claims.isAlone(store, prefix)
    alone.set(prefix, asked)
    return asked
  }
  async function remove(file: SentFile): Promise<void> {
    try {
      if (!isReferenced(file.path) && (await isAlone(prefixOf(file)))) await store.delete([file.key], limit)
    } catch {
      isAllGone = false
    }
  }
  await Promise.all(
    files.map((file) => held.release(`${store.address}/${file.key}`, isLeftOver(file.key), () => remove(file))),
  )
  return isAllGone
}

/** Deletes what killed processes left in a store. */
async function sweep(ports: SharedPorts, store: MediaStore): Promise<void> {
  const { held, unsettled } = ports
  for (const { uploads, end } of unsettled.leftIn(store.address)) {
    for (const { key } of uploads.objects) await held.hold(`${store.address}/${key}`)
    const areGone = await releaseFiles(ports, store, uploads.objects, () => true)
    end((await areEnded(store, uploads)) && areGone ? 'now' : 'later')
  }
}
