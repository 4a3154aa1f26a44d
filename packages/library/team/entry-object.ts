import { beginsAsLine, checkedLine, entryHead } from '../log/line.ts'
import { logFormat } from '../records/changes.ts'

/** An entry of the log as the bucket stores it: the same line as in a local log. */
export interface EntryObject {
  readonly kind: 'entry'
  readonly position: number
  readonly previous: string
  readonly hash: string
  readonly writer: string
  readonly bytes: Uint8Array
}

/** What is stored under the key of an entry. `damaged`: an entry that is cut off or changed. `foreign`: anything else. */
export type LogObject =
  | EntryObject
  /** All entries up to this one are in the checkpoint at this position. */
  | { readonly kind: 'folded'; readonly checkpoint: number }
  | { readonly kind: 'newer' }
  | Unreadable

export interface Unreadable {
  readonly kind: 'damaged' | 'foreign'
}

export const isUnreadable = (found: LogObject): found is Unreadable =>
  found.kind === 'damaged' || found.kind === 'foreign'

export const foldedMarker = (checkpoint: number): Uint8Array => Buffer.from(`{"folded":${checkpoint}}\n`)

/** Parses the object under the key of an entry, but not the changes in it. */
export function readLogObject(bytes: Uint8Array): LogObject {
  const [, checkpoint] = /^\{"folded":(\d{1,15})\}\n$/.exec(Buffer.from(bytes.subarray(0, 40)).toString('latin1')) ?? []
  if (checkpoint !== undefined) return { kind: 'folded', checkpoint: Number(checkpoint) }
  const object = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const line = checkedLine(object)
  if (line === null) return { kind: beginsAsLine(object) ? 'damaged' : 'foreign' }
  const head = entryHead(line.text)
  if (head === null) return { kind: 'foreign' }
  if (head.format > logFormat) return { kind: 'newer' }
  const { position, previous, writer } = head
  return { kind: 'entry', position, previous, hash: line.hash, writer, bytes }
}
