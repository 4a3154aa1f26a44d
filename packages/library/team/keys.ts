import type { Sha256 } from '@galley/wire'

// The keys of a team library's objects, below the prefix of the library.

/** An entry of the log. Entries are never removed: everything that may be removed has a key of another form. */
export type EntryKey = `log/${string}.jsonl`
export type CheckpointKey = `checkpoints/${string}.db.gz`
/** A file of the vault. If it is stored again after it was dropped, its key includes the position of the drop. */
export type FileKey = `files/${string}`

const digits = (position: number): string => String(position).padStart(20, '0')

export const entryKey = (position: number): EntryKey => `log/${digits(position)}.jsonl`
export const checkpointKey = (position: number): CheckpointKey => `checkpoints/${digits(position)}.db.gz`

/** `droppedAt` is the position at which the file was last dropped, or 0. */
export const fileKey = (file: Sha256, droppedAt: number): FileKey =>
  droppedAt === 0 ? `files/${file}` : `files/${file}.${droppedAt}`

/** The file and the drop that a key names. */
export interface FileObject {
  readonly file: Sha256
  readonly droppedAt: number
}

/** Null if the key is not one that Galley gives to a file. */
export function fileIn(key: string): FileObject | null {
  const [, file, droppedAt = '0'] = /^files\/([0-9a-f]{64})(?:\.([1-9]\d{0,15}))?$/.exec(key) ?? []
  return file === undefined ? null : { file: file as Sha256, droppedAt: Number(droppedAt) }
}

/** The position in the key of an entry or a checkpoint; null for any other key. */
export function positionIn(key: string): number | null {
  const [, log, checkpoint] = /^(?:log\/(\d{20})\.jsonl|checkpoints\/(\d{20})\.db\.gz)$/.exec(key) ?? []
  const found = log ?? checkpoint
  return found === undefined ? null : Number(found)
}

/** A text of a release, named by its hash, below a prefix that no file of the vault has. */
export type ReleaseTextKey = `${typeof releaseTexts}${string}`
export const releaseTexts = 'files/releases/'
export const releaseTextKey = (sha256: string): ReleaseTextKey => `${releaseTexts}${sha256}`

/** The hash in the key of such a text; null for any other key. */
export const releaseTextIn = (key: string): string | null => /^files\/releases\/([0-9a-f]{64})$/.exec(key)?.[1] ?? null
