import { logFormat } from '../../../contract/domain/changes.ts'
import { checkedLine } from '../log/line.ts'

/** An entry of the log as the bucket stores it: the same line as in a local log. */
export interface EntryObject {
  readonly kind: 'entry'
  readonly position: number
  readonly previous: string
  readonly hash: string
  readonly writer: string
  readonly bytes: Uint8Array
}

/** What is stored under the key of an entry. `foreign`: not created by Galley, or only half an entry. */
export type LogObject =
  | EntryObject
  /** All entries up to this one are in the checkpoint at this position. */
  | { readonly kind: 'folded'; readonly checkpoint: number }
  | { readonly kind: 'newer' }
  | { readonly kind: 'foreign' }

export const foldedMarker = (checkpoint: number): Uint8Array => Buffer.from(`{"folded":${checkpoint}}\n`)

/** Parses the object under the key of an entry, but not the changes in it. */
export function readLogObject(bytes: Uint8Array): LogObject {
  const [, checkpoint] = /^\{"folded":(\d{1,15})\}\n$/.exec(Buffer.from(bytes.subarray(0, 40)).toString('latin1')) ?? []
  if (checkpoint !== undefined) return { kind: 'folded', checkpoint: Number(checkpoint) }
  const line = checkedLine(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  if (line === null) return { kind: 'foreign' }
  const { format, position, previous, writer } = Object(JSON.parse(line.text.toString('utf8'))) as Readonly<
    Record<string, unknown>
  >
  if (typeof format === 'number' && format > logFormat) return { kind: 'newer' }
  if (typeof position !== 'number' || typeof previous !== 'string') return { kind: 'foreign' }
  return {
    kind: 'entry',
    position,
    previous,
    hash: line.hash,
    writer: typeof writer === 'string' ? writer : '',
    bytes,
  }
}
