import { addAll } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

import { readLine, writeLine } from '../../log/line.ts'
import type { LogMark } from '../../log/mark.ts'
import type { Change, NewBlob } from '../../records/changes.ts'
import { changesPerEntry } from '../../records/changes.ts'
import type { EntryObject } from '../../team/entry-object.ts'
import type { FileKey } from '../../team/keys.ts'
import { fileKey } from '../../team/keys.ts'
import type { Drafted, EntryDraft, Replica } from '../../team/replica.ts'
import { TeamLogError } from '../../team/replica.ts'
import type { CommitPorts, Draft, Tail } from '../commit/commit.ts'
import { createWriterNames } from '../webhook/webhook-queue.ts'

/** The result of the latest decision on a write. `left`: the entry had no more room for it. */
export type WriteState =
  | { readonly kind: 'granted' | 'nothing' | 'left' }
  | { readonly kind: 'failed'; readonly error: unknown }

/** A requested write. It is decided again whenever another machine has taken the position. */
export interface PendingWrite {
  /** Decides and applies, within a transaction that is rolled back. Returns what it applied. */
  readonly rehearse: () => readonly Draft[]
  state: WriteState
}

export interface TeamReplicaPorts extends CommitPorts {
  readonly tail: Tail
}

/** An entry of this process that has no position yet, with facts that are not in the log. */
interface OwnEntry {
  readonly writer: string
  readonly drafts: readonly Draft[]
}

/** The returned function decides writes on the current rows, and does not change them. */
function createRehearsal({ db, apply }: CommitPorts) {
  /** Part of a larger transaction: done as a whole or not at all. */
  const asWhole = db.transaction((write: PendingWrite): readonly Draft[] => write.rehearse())

  function decide(write: PendingWrite): readonly Draft[] {
    const taken = apply.taken()
    try {
      const drafts = asWhole(write)
      if (drafts.length > changesPerEntry / 2) throw new Error('Too many changes at once')
      write.state = { kind: drafts.length === 0 ? 'nothing' : 'granted' }
      return drafts
    } catch (error) {
      // On a full disk SQLite rolls back the whole transaction, with the writes before this one.
      if (!db.inTransaction) throw error
      apply.rewind(taken)
      write.state = { kind: 'failed', error }
      return []
    }
  }

  /** `look` reads the rows after the entry. */
  return <Seen>(
    writes: readonly PendingWrite[],
    position: number,
    look: (drafts: readonly Draft[]) => Seen,
  ): { readonly drafts: readonly Draft[]; readonly seen: Seen } => {
    db.exec('BEGIN IMMEDIATE')
    try {
      apply.begin(position)
      const drafts: Draft[] = []
      for (const write of writes) {
        if (drafts.length > changesPerEntry / 2) write.state = { kind: 'left' }
        else addAll(drafts, decide(write))
      }
      return { drafts, seen: look(drafts) }
    } finally {
      if (db.inTransaction) db.exec('ROLLBACK')
    }
  }
}

/** The returned function appends the entry to the end of the local log, and applies it. */
function createTake({ db, log, apply, callbacks, tail }: TeamReplicaPorts) {
  function applyOwn({ position, previous, writer }: EntryObject, drafts: readonly Draft[], mark: LogMark): void {
    apply.begin(position)
    for (const { change, beside } of drafts) apply.change(change, beside ?? {})
    apply.end(mark)
    callbacks.mirror({ changes: drafts.map(({ change }) => change), position, previous, writer })
  }

  return (entry: EntryObject, own: OwnEntry | null): void => {
    const end = tail.markNow()
    if (entry.position <= end.position) return
    if (entry.position !== end.position + 1 || entry.previous !== end.hash)
      throw new TeamLogError('log_unlinked', entry.position)
    const bytes = Buffer.from(entry.bytes)
    const read = readLine(bytes)
    if (!read.ok) throw new TeamLogError(`log_${read.fault}`, entry.position)
    db.transaction(() => {
      const mark = log.appendLine(end, { bytes, hash: entry.hash })
      if (own?.writer === entry.writer) applyOwn(entry, own.drafts, mark)
      else tail.applyTail()
    }).immediate()
  }
}

/** Which files an entry must send. */
function createUploads({ db }: CommitPorts) {
  const isReferenced = db.prepare<[string, string], { yes: number }>(
    'SELECT 1 AS yes FROM blob WHERE (sha256 = ? AND pack IS NULL) OR pack = ? LIMIT 1',
  )
  const retiredAt = db.prepare<[string], number>('SELECT position FROM retired_file WHERE sha256 = ?').pluck()
  const keyOf = (file: Sha256): FileKey => fileKey(file, retiredAt.get(file) ?? 0)
  const uploadOf = (file: Sha256) => ({ file, key: keyOf(file) })
  return {
    /** The files that changes add, with their keys, in the rows after the entry. */
    brought: (changes: readonly Change[]): EntryDraft['uploads'] => {
      const files = new Set(changes.flatMap(blobsOf).map(({ sha256, pack }) => pack?.sha256 ?? sha256))
      return [...files].filter((file) => isReferenced.get(file, file) !== undefined).map(uploadOf)
    },
    /**
     * Uploads of files that were unreferenced in the rows before the entry: referenced files are already in the bucket.
     */
    due: (uploads: EntryDraft['uploads']): EntryDraft['uploads'] =>
      uploads.filter(({ file, key }) => isReferenced.get(file, file) === undefined || keyOf(file) !== key),
  }
}

/** The blobs that a change brings. */
function blobsOf(change: Change): readonly NewBlob[] {
  if ('blobs' in change && change.kind !== 'versions_pruned' && change.kind !== 'materials_deleted')
    return change.kind === 'blobs_dropped' ? [] : (change.blobs ?? [])
  return []
}

/**
 * The index of this machine as a replica of the team's log. Writes are rehearsed on the index and rolled back; an entry
 * that has its position in the bucket is appended to the local log, synced and applied, as every other one. Other processes
 * of this machine share log and index, so each call first brings the index to the end of the local log.
 */
export function createTeamReplica(ports: TeamReplicaPorts): Replica<readonly PendingWrite[]> {
  const { db, lock, tail } = ports
  const rehearse = createRehearsal(ports)
  const take = createTake(ports)
  const uploads = createUploads(ports)
  const writerNames = createWriterNames(db)
  const bringToEnd = (): void => void db.transaction(tail.applyTail).immediate()
  let own: OwnEntry | null = null

  return {
    end() {
      const { position, hash } = tail.markNow()
      return { position, hash }
    },

    draft(writes, isUpToDate): Drafted {
      return lock.hold(() => {
        bringToEnd()
        const end = tail.markNow()
        const position = end.position + 1
        const changesOf = (each: readonly Draft[]) => each.map(({ change }) => change)
        const { drafts, seen } = rehearse(writes, position, (each) => uploads.brought(changesOf(each)))
        const isRefused = writes.some(({ state }) => state.kind === 'failed' || state.kind === 'nothing')
        if (isRefused && !isUpToDate) return { kind: 'read_log' }
        if (drafts.length === 0) return { kind: 'nothing' }
        const writer = writerNames.next()
        own = { writer, drafts }
        const { bytes } = writeLine(position, end.hash, changesOf(drafts), writer)
        return { kind: 'draft', position, bytes, writer, uploads: uploads.due(seen) }
      })
    },

    take(entry): void {
      lock.hold(() => {
        bringToEnd()
        take(entry, own)
      })
    },
  }
}
