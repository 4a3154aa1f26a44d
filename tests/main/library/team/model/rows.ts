import { createHash } from 'node:crypto'

import type { Sha256 } from '../../../../../src/contract/ids.ts'
import { noHash } from '../../../../../src/contract/domain/changes.ts'
import type { EntryObject } from '../../../../../src/main/library/team/entry-object.ts'
import type { FileKey, FileObject } from '../../../../../src/main/library/team/keys.ts'
import { judged } from '../../../../../src/main/library/team/waiting-marks.ts'
import { fileKey } from '../../../../../src/main/library/team/keys.ts'

// The rows of a small library: enough of one for everything that the protocol has to keep apart.

/** What somebody wishes, and what stands in the log when it is granted. `attempt` tells deliveries of the same save apart. */
export type Wish =
  | { readonly kind: 'open'; readonly material: string; readonly attempt: number }
  | {
      readonly kind: 'save'
      readonly id: number
      readonly material: string
      readonly files: readonly string[]
      readonly attempt: number
    }
  | { readonly kind: 'add'; readonly name: string; readonly attempt: number }
  | { readonly kind: 'refuse' | 'allow'; readonly material: string; readonly attempt: number }
  /** `seen`: what may be overwritten; null where its person has the bucket, and sees what is there. */
  | {
      readonly kind: 'mark'
      readonly field: string
      readonly value: string
      readonly seen: readonly string[] | null
      readonly attempt: number
    }
  | { readonly kind: 'prune'; readonly id: number; readonly attempt: number }
  /** Takes a name out of the library. The change says which one it is, and not its name. */
  | { readonly kind: 'erase'; readonly name?: string; readonly at?: number; readonly attempt: number }
  /** Objects that a list named; `files` is decided on the rows. */
  | {
      readonly kind: 'drop'
      readonly objects: readonly FileObject[]
      readonly files?: readonly Sha256[]
      readonly attempt: number
    }

export type Verdict =
  | { readonly kind: 'write'; readonly change: Wish }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: string }

interface Save {
  readonly material: string
  readonly files: readonly string[]
}

/** Everything in it follows from the log. */
export interface Rows {
  position: number
  hash: string
  opened: string[]
  refused: string[]
  names: string[]
  /** What people put into fields. */
  marks: Record<string, string>
  /** By their ids; a pruned one leaves nothing. */
  saves: Record<string, Save>
  /** The position at which each file was last dropped. */
  drops: Record<string, number>
}

export const emptyRows = (): Rows => ({
  ...{ position: 0, hash: noHash, opened: [], refused: [], names: [], marks: {}, saves: {}, drops: {} },
})

export const shaOf = (file: string): Sha256 => createHash('sha256').update(file).digest('hex') as Sha256

const droppedAt = ({ drops }: Rows, file: Sha256): number => drops[file] ?? 0

export const keyOfFile = (rows: Rows, file: string): FileKey => fileKey(shaOf(file), droppedAt(rows, shaOf(file)))

export const isNamed = ({ saves }: Rows, file: Sha256): boolean =>
  Object.values(saves).some(({ files }) => files.some((name) => shaOf(name) === file))

export const isRetired = (rows: Rows, { file, droppedAt: at }: FileObject): boolean => at < droppedAt(rows, file)
export const isUnneeded = (rows: Rows, { file, droppedAt: at }: FileObject): boolean =>
  at === droppedAt(rows, file) && !isNamed(rows, file)

export const markOf = ({ marks }: Rows, field: string): string => marks[field] ?? ''

/** Decides on these rows; the rules that nothing in the log may break. */
export function decide(rows: Rows, wish: Wish): Verdict {
  switch (wish.kind) {
    case 'open':
      return { kind: 'write', change: wish }
    case 'save':
      if (rows.saves[wish.id]) return { kind: 'done' }
      if (!rows.opened.includes(wish.material)) return { kind: 'refused', reason: 'unknown_material' }
      if (rows.refused.includes(wish.material)) return { kind: 'refused', reason: 'rule' }
      return { kind: 'write', change: wish }
    case 'add':
      return rows.names.includes(wish.name) ? { kind: 'refused', reason: 'taken' } : { kind: 'write', change: wish }
    case 'refuse':
    case 'allow':
      return { kind: 'write', change: wish }
    case 'mark': {
      const { seen, value } = wish
      const verdict = seen === null ? 'write' : judged({ seen, wanted: value, theirs: null }, markOf(rows, wish.field))
      if (verdict === 'conflict') return { kind: 'refused', reason: 'changed' }
      return verdict === 'written' ? { kind: 'done' } : { kind: 'write', change: wish }
    }
    case 'prune':
      return rows.saves[wish.id] ? { kind: 'write', change: wish } : { kind: 'done' }
    case 'erase': {
      const at = wish.name === undefined ? (wish.at ?? -1) : rows.names.indexOf(wish.name)
      const change = { kind: 'erase', at, attempt: wish.attempt } as const
      return rows.names[at] === undefined ? { kind: 'done' } : { kind: 'write', change }
    }
    case 'drop': {
      const files = wish.objects.flatMap((object) => (isUnneeded(rows, object) ? [object.file] : []))
      return files.length === 0 ? { kind: 'done' } : { kind: 'write', change: { ...wish, files } }
    }
  }
}

export function apply(rows: Rows, change: Wish, position: number): void {
  switch (change.kind) {
    case 'open':
      if (!rows.opened.includes(change.material)) rows.opened.push(change.material)
      break
    case 'save':
      rows.saves[change.id] = { material: change.material, files: change.files }
      break
    case 'add':
      rows.names.push(change.name)
      break
    case 'refuse':
      if (!rows.refused.includes(change.material)) rows.refused.push(change.material)
      break
    case 'allow':
      rows.refused = rows.refused.filter((material) => material !== change.material)
      break
    case 'mark':
      rows.marks[change.field] = change.value
      break
    case 'prune':
      delete rows.saves[change.id]
      break
    case 'erase':
      rows.names = rows.names.filter((_, at) => at !== change.at)
      break
    case 'drop':
      for (const file of change.files ?? []) rows.drops[file] = position
      break
  }
}

export const changesIn = (bytes: Uint8Array): readonly Wish[] => {
  const { entry } = JSON.parse(Buffer.from(bytes).toString()) as {
    readonly entry: { readonly changes: readonly Wish[] }
  }
  return entry.changes
}

export function take(rows: Rows, entry: EntryObject): void {
  for (const change of changesIn(entry.bytes)) apply(rows, change, entry.position)
  rows.position = entry.position
  rows.hash = entry.hash
}

export const copyOf = (rows: Rows): Rows => structuredClone(rows)
export const digestOf = (rows: Rows): string => JSON.stringify(rows)
