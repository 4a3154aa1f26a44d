import { randomUUID } from 'node:crypto'
import type { IndexWith, LogMark, OpenedLibrary, Vault } from '@galley/library'
import { entryKey, foldedMarker, logStart, mayHold, readLogObject, takeOwnership } from '@galley/library'
import type { Network } from '@galley/platform'
import { forEachConcurrently } from '@galley/platform'
import type { Sha256 } from '@galley/wire'

import type { TeamKeys } from './bucket/connection.ts'
import { connectTeam } from './bucket/connection.ts'
import { payloadOfFile } from './bucket/file-payload.ts'
import type { Membership, TeamLocation } from './bucket/membership.ts'
import { removeMembership, writeMembership } from './bucket/membership.ts'
import { probeBucket } from './bucket/probe.ts'
import { repeatUntilKnown } from './bucket/repeat-until-known.ts'
import type { SharedBucket } from './bucket/shared-bucket.ts'
import { listedFiles } from './listed-files.ts'
import { sendCheckpoint } from './team-checkpoints.ts'
import { TeamFailure } from './team-failure.ts'
import { libraryIn, markLibrary } from './team-marker.ts'

export interface ImportPorts {
  readonly folder: string
  readonly library: OpenedLibrary
  readonly index: IndexWith<'commit' | 'followTeam'>
  readonly vault: Vault
  readonly network: Network
  readonly now: () => Date
}

export interface ImportOptions {
  readonly place: TeamLocation
  readonly keys: TeamKeys
  /** Stores the keys for this member. Throws TeamFailure. */
  readonly keepKeys: (member: string) => Promise<void>
  /** The library must be empty. */
  readonly isNew: boolean
  readonly signal: AbortSignal
  readonly onProgress: (what: 'files' | 'entries', done: number, total: number) => void
  /** Stops the listener of this process, which receives saves until all files have been sent. */
  readonly stopListener?: () => Promise<void>
}

/** How many objects are sent in parallel. */
const filesAtOnce = 8
const entriesAtOnce = 32

/**
 * Uploads a local library to a bucket and makes its folder the first member: the first entry, which reserves the place,
 * then files, the log, a checkpoint, and last the marker that completes it. A repeated run continues where the last one
 * stopped. Throws TeamFailure, CausedError, BucketAwayError, and disk errors; the library is then unchanged.
 */
export async function importLibrary(ports: ImportPorts, options: ImportOptions): Promise<Membership> {
  demandImportable(ports, options)
  const owning = createOwning(ports.folder)
  // If another process were listening, the import would otherwise fail only after all files were sent.
  if (!options.stopListener) owning.begin()
  const connection = connectTeam({
    place: options.place,
    network: ports.network,
    keys: () => Promise.resolve(options.keys),
    pathOf: ports.vault.pathOf,
    signal: options.signal,
  })
  try {
    const bucket = await connection.reached()
    const rounds = await probeBucket(bucket)
    const probe = { at: ports.now().toISOString(), rounds }
    const held = await libraryIn(bucket)
    if (held !== null && held !== ports.index.library()) throw new TeamFailure('bucket_in_use')
    await reservePlace(ports, bucket)
    const uploaded = await alreadyUploaded(ports, bucket)
    // Saves continue while most files are sent. The rest is sent under the lock.
    await uploadFiles(ports, options, bucket, uploaded)
    if (options.stopListener) {
      await options.stopListener()
      owning.begin()
    }
    return await uploadLibrary(ports, options, bucket, { probe, uploaded, isComplete: held !== null })
  } finally {
    await connection.close()
    owning.end()
  }
}

/** Keeps other processes from listening for the library. */
function createOwning(folder: string) {
  let ownership: ReturnType<typeof takeOwnership> = null
  return {
    /** Throws TeamFailure if a process listens. */
    begin(): void {
      ownership = takeOwnership(folder, process.pid)
      if (ownership === null) throw new TeamFailure('library_in_use')
    },
    end: (): void => ownership?.release(),
  }
}

function demandImportable({ library, index }: ImportPorts, { isNew }: ImportOptions): void {
  if (index.followTeam !== null) throw new TeamFailure('already_member')
  if (library.state !== 'whole') throw new TeamFailure('library_damaged')
  const sites = index.sites.list()
  if (isNew && (sites.length > 0 || index.counts().materials > 0)) throw new TeamFailure('library_not_empty')
  // Other members do not have this folder.
  const published = sites.find(({ publish }) => publish.kind === 'folder')
  const target = index.targets.all().find(({ place }) => place.kind === 'folder')
  if (published ?? target) throw new TeamFailure('folder_target', published?.id ?? target?.site ?? null)
}

interface ImportState {
  readonly probe: Membership['probe']
  readonly uploaded: Set<string>
  /** The bucket has the whole library: an earlier run ended after the marker, or this folder has left the team. */
  readonly isComplete: boolean
}

async function uploadLibrary(
  ports: ImportPorts,
  options: ImportOptions,
  bucket: SharedBucket,
  { probe, uploaded, isComplete }: ImportState,
): Promise<Membership> {
  const { folder, library, index } = ports
  const release = library.lock.take()
  try {
    index.commit.follow()
    await uploadFiles(ports, options, bucket, uploaded)
    const position = await library.writeCheckpoint(options.signal)
    // Others may write to a complete library: one entry at a time, so that each follows on the one before.
    await sendEntries(ports, options, bucket, { upTo: position, atOnce: isComplete ? 1 : entriesAtOnce })
    // Sent last, because it replaces a checkpoint of the same position, which belongs to the owner of the log.
    await sendCheckpoint(library, bucket, position)
    const member = randomUUID()
    await options.keepKeys(member)
    const membership: Membership = {
      ...options.place,
      library: index.library(),
      member,
      state: 'member',
      isReadOnly: false,
      probe,
    }
    // First: once others can join and save, a folder that went on alone could not become a member again.
    writeMembership(folder, { ...membership, isUnmarked: true })
    try {
      await markLibrary(bucket, index.library())
    } catch (error) {
      removeMembership(folder)
      throw error
    }
    writeMembership(folder, membership)
    return membership
  } finally {
    release()
  }
}

/** Files that an earlier run has sent; nothing removes them. What has another size is sent again. */
async function alreadyUploaded({ index }: ImportPorts, bucket: SharedBucket): Promise<Set<string>> {
  const listed = await listedFiles(bucket)
  const isWhole = ({ file, sizeBytes }: { readonly file: Sha256; readonly sizeBytes: number }): boolean => {
    const object = listed.get(index.blobs.keyOf(file))
    return object ? mayHold(object, sizeBytes, index.blobs.maxBytesOf(file)) : false
  }
  return new Set(
    index.blobs
      .files()
      .filter(isWhole)
      .map(({ file }) => index.blobs.keyOf(file)),
  )
}

/** A request is signed with the hash in the file's name, so the storage rejects a file that changed on disk. */
async function uploadFiles(
  { index, vault }: ImportPorts,
  { signal, onProgress }: ImportOptions,
  bucket: SharedBucket,
  uploaded: Set<string>,
): Promise<void> {
  const all = index.blobs.files()
  const due = all.filter(({ file }) => !uploaded.has(index.blobs.keyOf(file)))
  const missing: Sha256[] = []
  let done = all.length - due.length
  await forEachConcurrently(due, filesAtOnce, signal, async ({ file }) => {
    const key = index.blobs.keyOf(file)
    if ((await vault.sizeOf(file)) === null) missing.push(file)
    else {
      await repeatUntilKnown(() => bucket.put(key, payloadOfFile(vault.pathOf(file), file)))
      uploaded.add(key)
    }
    done += 1
    onProgress('files', done, all.length)
  })
  if (missing.length > 0) throw new TeamFailure('files_missing', missing.length)
}

/** Throws TeamFailure if another library has begun here. A marker would not tell, since it names no library. */
async function reservePlace({ library }: ImportPorts, bucket: SharedBucket): Promise<void> {
  for (const { position, bytes } of objectsOf(library, 1))
    if (readLogObject(bytes).kind === 'entry') await createEntry(bucket, position, bytes)
}

/** Sends the log unchanged; entries that are only in a checkpoint are sent as markers. */
async function sendEntries(
  { library }: ImportPorts,
  { signal, onProgress }: ImportOptions,
  bucket: SharedBucket,
  { upTo, atOnce }: { readonly upTo: number; readonly atOnce: number },
): Promise<void> {
  let done = 0
  const send = async (objects: readonly LogObject[]): Promise<void> => {
    await forEachConcurrently(objects, atOnce, signal, ({ position, bytes }) => createEntry(bucket, position, bytes))
    done += objects.length
    onProgress('entries', done, upTo)
  }
  let some: LogObject[] = []
  for (const object of objectsOf(library, upTo)) {
    some.push(object)
    if (some.length < 10 * entriesAtOnce) continue
    await send(some)
    some = []
  }
  await send(some)
}

interface LogObject {
  readonly position: number
  readonly bytes: Uint8Array
}

function* objectsOf({ log }: OpenedLibrary, upTo: number): Generator<LogObject> {
  const lineOf = (mark: LogMark): Buffer => {
    const line = log.lineOf(mark)
    if (line === null) throw new TeamFailure('library_damaged')
    return line
  }
  let last = 0
  for (const item of log.read(logStart)) {
    if (item.kind === 'entry') {
      if (item.entry.position > upTo) return
      yield { position: item.entry.position, bytes: lineOf(item.mark) }
      last = item.entry.position
      continue
    }
    const { kind, position, count } = item.fault
    if (kind !== 'missing' || last > 0 || position !== 1) throw new TeamFailure('library_damaged')
    for (let at = 1; at <= count && at <= upTo; at += 1) yield { position: at, bytes: foldedMarker(upTo) }
    last = count
  }
}

/** Throws TeamFailure if the position holds something else. */
async function createEntry(bucket: SharedBucket, position: number, bytes: Uint8Array): Promise<void> {
  const key = entryKey(position)
  const answer = await repeatUntilKnown(() => bucket.create(key, bytes))
  if (answer.kind === 'created') return
  const found = await repeatUntilKnown(() => bucket.get(key))
  if (found.kind === 'found') {
    if (Buffer.compare(found.bytes, bytes) === 0) return
    // An earlier run may have named an earlier checkpoint.
    if (readLogObject(found.bytes).kind === 'folded' && readLogObject(bytes).kind === 'folded') return
  }
  throw new TeamFailure('bucket_in_use')
}
