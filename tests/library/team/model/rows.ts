import { createHash } from 'node:crypto'

import { noHash } from '../../../../packages/library/records/changes.ts'
import type { EntryObject } from '../../../../packages/library/team/entry-object.ts'
import type { FileKey, FileObject } from '../../../../packages/library/team/keys.ts'
import { fileKey } from '../../../../packages/library/team/keys.ts'
import { judged } from '../../../../packages/library/team/waiting-marks.ts'
import type { Sha256 } from '../../../../packages/wire/ids.ts'

// The rows of a minimal library, with everything that the protocol must tell apart.

/** A pending write, which the log contains once it is granted. `attempt` distinguishes deliveries of the same save. */
export type Write =
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
  /**
   * `seen`: values that may be overwritten; null if the bucket can be reached, so that the person sees the current
   * value.
   */
  | {
      readonly kind: 'mark'
      readonly field: string
      readonly value: string
      readonly seen: readonly string[] | null
      readonly attempt: number
    }
  | { readonly kind: 'prune'; readonly id: number; readonly attempt: number }
  /** Removes a name from the library. The change contains its number, not the name. */
  | { readonly kind: 'erase'; readonly name?: string; readonly at?: number; readonly attempt: number }
  /** Objects of a listing; `files` is decided on the rows. */
  | {
      readonly kind: 'drop'
      readonly objects: readonly FileObject[]
      readonly files?: readonly Sha256[]
      readonly attempt: number
    }

export type Verdict =
  | { readonly kind: 'write'; readonly change: Write }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: string }

interface Save {
  readonly material: string
  readonly files: readonly string[]
}

/** The state of the library; all of it follows from the log. */
export interface Rows {
  position: number
  hash: string
  opened: string[]
  refused: string[]
  names: string[]
  /** The values of fields that people have set. */
  marks: Record<string, string>
  /** By ID, without pruned ones. */
  saves: Record<string, Save>
  /** The position at which each file was last dropped. */
  drops: Record<string, number>
}

export const emptyRows = (): Rows => ({
  position: 0,
  hash: noHash,
  opened: [],
  refused: [],
  names: [],
  marks: {},
  saves: {},
  drops: {},
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

/** Decides on these rows. The log must never break these rules. */
export function decide(rows: Rows, write: Write): Verdict {
  switch (write.kind) {
    case 'open':
      return { kind: 'write', change: write }
    case 'save':
      if (rows.saves[write.id]) return { kind: 'done' }
      if (!rows.opened.includes(write.material)) return { kind: 'refused', reason: 'unknown_material' }
      if (rows.refused.includes(write.material)) return { kind: 'refused', reason: 'rule' }
      return { kind: 'write', change: write }
    case 'add':
      return rows.names.includes(write.name) ? { kind: 'refused', reason: 'taken' } : { kind: 'write', change: write }
    case 'refuse':
    case 'allow':
      return { kind: 'write', change: write }
    case 'mark': {
      const { seen, value } = write
      const verdict = seen === null ? 'write' : judged({ seen, wanted: value, theirs: null }, markOf(rows, write.field))
      if (verdict === 'conflict') return { kind: 'refused', reason: 'changed' }
      return verdict === 'written' ? { kind: 'done' } : { kind: 'write', change: write }
    }
    case 'prune':
      return rows.saves[write.id] ? { kind: 'write', change: write } : { kind: 'done' }
    case 'erase': {
      const at = write.name === undefined ? (write.at ?? -1) : rows.names.indexOf(write.name)
      const change = { kind: 'erase', at, attempt: write.attempt } as const
      return rows.names[at] === undefined ? { kind: 'done' } : { kind: 'write', change }
    }
    case 'drop': {
      const files = write.objects.flatMap((object) => (isUnneeded(rows, object) ? [object.file] : []))
      return files.length === 0 ? { kind: 'done' } : { kind: 'write', change: { ...write, files } }
    }
  }
}

export function apply(rows: Rows, change: Write, position: number): void {
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

export const changesIn = (bytes: Uint8Array): readonly Write[] => {
  const { entry } = JSON.parse(Buffer.from(bytes).toString()) as {
    readonly entry: { readonly changes: readonly Write[] }
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
