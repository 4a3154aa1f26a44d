import { randomUUID } from 'node:crypto'

import type { Sha256 } from '../../../contract/ids.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { OpenedLibrary } from '../../library/db/open-library.ts'
import { takeOwnership } from '../../library/db/owner.ts'
import type { LogMark } from '../../library/log/mark.ts'
import { logStart } from '../../library/log/mark.ts'
import { foldedMarker, readLogObject } from '../../library/team/entry-object.ts'
import { entryKey } from '../../library/team/keys.ts'
import type { TeamKeys } from '../../library/team-bucket/connection.ts'
import { connectTeam } from '../../library/team-bucket/connection.ts'
import { payloadOfFile } from '../../library/team-bucket/file-payload.ts'
import type { Membership, TeamPlace } from '../../library/team-bucket/membership.ts'
import { writeMembership } from '../../library/team-bucket/membership.ts'
import { patiently } from '../../library/team-bucket/patiently.ts'
import { probeBucket } from '../../library/team-bucket/probe.ts'
import type { SharedBucket } from '../../library/team-bucket/shared-bucket.ts'
import type { Vault } from '../../library/vault/vault.ts'
import { sideBySide } from '../../platform/s3/side-by-side.ts'
import { fileKeysIn } from './file-keys.ts'
import { sendCheckpoint } from './team-checkpoints.ts'
import { libraryIn, markLibrary } from './team-marker.ts'
import { TeamFailure } from './team-failure.ts'

export interface ImportPorts {
  readonly folder: string
  readonly library: OpenedLibrary
  readonly index: Index
  readonly vault: Vault
  readonly now: () => Date
}

export interface ImportWish {
  readonly place: TeamPlace
  readonly keys: TeamKeys
  /** Keeps the keys for this member. Throws TeamFailure. */
  readonly keepKeys: (member: string) => Promise<void>
  /** The library has to be an empty one. */
  readonly isNew: boolean
  readonly signal: AbortSignal
  readonly onProgress: (what: 'files' | 'entries', done: number, total: number) => void
}

/** Objects that are sent side by side. */
const filesAtOnce = 8
const entriesAtOnce = 32

/**
 * Brings a library in a folder into a bucket, and makes the folder its first member: files first, then a checkpoint and the
 * log, and the mark that it is all there at the end. Run again it goes on where it ended. Throws TeamFailure, CausedError,
 * BucketAwayError, and what the disk throws; the library is then what it was.
 */
export async function importLibrary(ports: ImportPorts, wish: ImportWish): Promise<Membership> {
  demandImportable(ports, wish)
  const ownership = takeOwnership(ports.folder, process.pid)
  if (ownership === null) throw new TeamFailure('library_in_use')
  const connection = connectTeam({
    place: wish.place,
    keys: () => Promise.resolve(wish.keys),
    pathOf: ports.vault.pathOf,
    signal: wish.signal,
  })
  try {
    const bucket = await connection.reached()
    const rounds = await probeBucket(bucket)
    const probe = { at: ports.now().toISOString(), rounds }
    const held = await libraryIn(bucket)
    if (held !== null && held !== ports.index.library()) throw new TeamFailure('bucket_in_use')
    return await bring(ports, wish, bucket, probe)
  } finally {
    await connection.close()
    ownership.release()
  }
}

function demandImportable({ library, index }: ImportPorts, { isNew }: ImportWish): void {
  if (index.followTeam !== null) throw new TeamFailure('already_member')
  if (library.state !== 'whole') throw new TeamFailure('library_damaged')
  const sites = index.sites.list()
  if (isNew && (sites.length > 0 || index.counts().materials > 0)) throw new TeamFailure('library_not_empty')
  // Other members have no such folder.
  const published = sites.find(({ publish }) => publish.kind === 'folder')
  const target = index.targets.all().find(({ place }) => place.kind === 'folder')
  if (published ?? target) throw new TeamFailure('folder_target', published?.id ?? target?.site ?? null)
  const unredacted = index.unredactedArchives.count()
  if (unredacted > 0) throw new TeamFailure('archives_unredacted', unredacted)
}

async function bring(
  ports: ImportPorts,
  wish: ImportWish,
  bucket: SharedBucket,
  probe: Membership['probe'],
): Promise<Membership> {
  const { folder, library, index } = ports
  // An earlier run may have sent some: nothing removes them.
  const uploaded = new Set<string>(await fileKeysIn(bucket))
  // Saves of other processes go on while the bulk is sent; the rest is sent when nobody else can write.
  await uploadFiles(ports, wish, bucket, uploaded)
  const release = library.lock.take()
  try {
    index.commit.follow()
    await uploadFiles(ports, wish, bucket, uploaded)
    const position = await library.writeCheckpoint(wish.signal)
    await sendCheckpoint(library, bucket, position)
    await sendEntries(ports, wish, bucket, position)
    await markLibrary(bucket, index.library())
    const member = randomUUID()
    await wish.keepKeys(member)
    const membership: Membership = {
      ...wish.place,
      ...{ library: index.library(), member, state: 'member', isReadOnly: false, probe },
    }
    writeMembership(folder, membership)
    return membership
  } finally {
    release()
  }
}

/** The hash in a request is that of the file's name, so a store takes no file that has changed on the disk. */
async function uploadFiles(
  { index, vault }: ImportPorts,
  { signal, onProgress }: ImportWish,
  bucket: SharedBucket,
  uploaded: Set<string>,
): Promise<void> {
  const all = index.blobs.files()
  const due = all.filter(({ file }) => !uploaded.has(index.blobs.keyOf(file)))
  const missing: Sha256[] = []
  let done = all.length - due.length
  await sideBySide(due, filesAtOnce, signal, async ({ file }) => {
    const key = index.blobs.keyOf(file)
    if ((await vault.sizeOf(file)) === null) missing.push(file)
    else {
      await patiently(() => bucket.put(key, payloadOfFile(vault.pathOf(file), file)))
      uploaded.add(key)
    }
    done += 1
    onProgress('files', done, all.length)
  })
  if (missing.length > 0) throw new TeamFailure('files_missing', missing.length)
}

/** The log as it is; where its beginning is in a checkpoint alone, markers. */
async function sendEntries(
  { library }: ImportPorts,
  { signal, onProgress }: ImportWish,
  bucket: SharedBucket,
  upTo: number,
): Promise<void> {
  let done = 0
  const send = async (objects: readonly LogObject[]): Promise<void> => {
    await sideBySide(objects, entriesAtOnce, signal, ({ position, bytes }) => createEntry(bucket, position, bytes))
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

/** Throws TeamFailure where the position is taken by something else. */
async function createEntry(bucket: SharedBucket, position: number, bytes: Uint8Array): Promise<void> {
  const key = entryKey(position)
  const answer = await patiently(() => bucket.create(key, bytes))
  if (answer.kind === 'created') return
  const found = await patiently(() => bucket.get(key))
  if (found.kind === 'found') {
    if (Buffer.compare(found.bytes, bytes) === 0) return
    // An earlier run has named an earlier checkpoint.
    if (readLogObject(found.bytes).kind === 'folded' && readLogObject(bytes).kind === 'folded') return
  }
  throw new TeamFailure('bucket_in_use')
}
