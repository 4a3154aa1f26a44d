import { z } from 'zod'

import type { ZipEntry } from '../exporting/zip-records.ts'
import { localHeader } from '../exporting/zip-records.ts'

// A backup is a plain ZIP, stored: the copy of the index, every file of the library in the order of their names, and
// last the manifest, which says what the others are. Everything but their contents follows from it, byte for byte.

export const indexPath = 'index.db'
export const manifestPath = 'galley-backup.json'
export const filePath = (name: string): string => `files/${name}`

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const bytes = z.int().min(0).max(0xffffffff)

const manifestSchema = z.strictObject({
  format: z.literal('galley-backup'),
  version: z.literal(1),
  created_at: z.string(),
  index: z.strictObject({ bytes, sha256 }),
  /** `sha256` where the bytes are not the ones that the name says: the file was damaged before it was backed up. */
  files: z.array(z.strictObject({ name: sha256, bytes, sha256: sha256.optional() })),
  /** Files that the index names and the library did not have any more. */
  missing: z.array(sha256),
})
export type BackupManifest = z.infer<typeof manifestSchema>

/** Null when the text is no manifest that this Galley knows. */
export function parseManifest(text: string): BackupManifest | null {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return null
  }
  const parsed = manifestSchema.safeParse(json)
  return parsed.success ? parsed.data : null
}

/** One entry of a backup as its manifest promises it. */
export interface PromisedEntry {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
}

/** The entries before the manifest, in their order. */
export const promisedEntries = ({ index, files }: BackupManifest): readonly PromisedEntry[] => [
  { path: indexPath, sizeBytes: index.bytes, sha256: index.sha256 },
  ...files.map((file) => ({ path: filePath(file.name), sizeBytes: file.bytes, sha256: file.sha256 ?? file.name })),
]

/** How many bytes an entry takes in the ZIP, header and content. */
export const spanOf = ({ path, sizeBytes }: Pick<ZipEntry, 'path' | 'sizeBytes'>): number =>
  localHeader({ path, sizeBytes: 0, crc32: 0 }).length + sizeBytes

/** Where the manifest stands; written into the comment, so that a reader finds it from the end. */
export interface ManifestPlace {
  readonly offset: number
  readonly sizeBytes: number
}

export const backupComment = ({ offset, sizeBytes }: ManifestPlace): string => `galley-backup ${offset} ${sizeBytes}`

/** Reads the comment off the last bytes of a file; null when they end no backup of ours. */
export function manifestPlace(tail: Buffer): ManifestPlace | null {
  const [, offset, sizeBytes] = /galley-backup (\d{1,15}) (\d{1,10})$/.exec(tail.toString('latin1')) ?? []
  return offset === undefined ? null : { offset: Number(offset), sizeBytes: Number(sizeBytes) }
}
