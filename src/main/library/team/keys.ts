import type { Sha256 } from '../../../contract/ids.ts'

// What a team library keeps in its bucket, below a prefix of its own.

/** An entry of the log. Nothing takes one away: what may be removed has a key of another form. */
export type EntryKey = `log/${string}.jsonl`
export type CheckpointKey = `checkpoints/${string}.db.gz`
/** A file of the vault; one that comes back after it was dropped has the position of that drop in its key. */
export type FileKey = `files/${string}`

const digits = (position: number): string => String(position).padStart(20, '0')

export const entryKey = (position: number): EntryKey => `log/${digits(position)}.jsonl`
export const checkpointKey = (position: number): CheckpointKey => `checkpoints/${digits(position)}.db.gz`

/** `droppedAt`: the position at which the file was last dropped, or 0. */
export const fileKey = (file: Sha256, droppedAt: number): FileKey =>
  droppedAt === 0 ? `files/${file}` : `files/${file}.${droppedAt}`

/** An object of a file, as its key names it. */
export interface FileObject {
  readonly file: Sha256
  readonly droppedAt: number
}

/** Null for a key that no Galley gives to a file. */
export function fileIn(key: string): FileObject | null {
  const [, file, droppedAt = '0'] = /^files\/([0-9a-f]{64})(?:\.([1-9]\d{0,15}))?$/.exec(key) ?? []
  return file === undefined ? null : { file: file as Sha256, droppedAt: Number(droppedAt) }
}

/** The position that a key of an entry or a checkpoint names; null when it is neither. */
export function positionIn(key: string): number | null {
  const [, found] = /^(?:log\/(?=\d+\.jsonl)|checkpoints\/(?=\d+\.db\.gz))(\d{20})\./.exec(key) ?? []
  return found === undefined ? null : Number(found)
}
