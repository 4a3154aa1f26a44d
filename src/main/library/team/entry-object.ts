import { logFormat } from '../../../contract/domain/changes.ts'
import { checkedLine } from '../log/line.ts'

/** An entry of the log as it is in the bucket: the same line as in the log of a folder. */
export interface EntryObject {
  readonly kind: 'entry'
  readonly position: number
  readonly previous: string
  readonly hash: string
  readonly writer: string
  readonly bytes: Uint8Array
}

/** What lies where an entry belongs. `foreign`: something that no Galley wrote, or half an entry. */
export type LogObject =
  | EntryObject
  /** Everything up to here is in the checkpoint of this position. */
  | { readonly kind: 'folded'; readonly checkpoint: number }
  | { readonly kind: 'newer' }
  | { readonly kind: 'foreign' }

export const foldedMarker = (checkpoint: number): Uint8Array => Buffer.from(`{"folded":${checkpoint}}\n`)

/** Reads what has the key of an entry. The changes in it are not looked at. */
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
