import type { ZipEntry } from '@galley/platform'
import { localHeader } from '@galley/platform'
import { parsedJson } from '@galley/wire'
import { z } from 'zod'

// A backup is an uncompressed ZIP: the log of the library, the callbacks of its computer, all files ordered by name, and
// last the manifest, which lists them. Its bytes depend only on their contents.

export const localPath = 'local.db'
export const checkpointPath = (name: string): string => `checkpoints/${name}`
export const segmentPath = (name: string): string => `log/${name}`
export const manifestPath = 'galley-backup.json'
export const filePath = (name: string): string => `files/${name}`

/** Shown without formatting. */
const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const bytes = z.int().min(0).max(0xffffffff)

const areDistinct = (names: readonly string[]): boolean => new Set(names).size === names.length

/** The name of the format. Builds before 0.1.0 called theirs `galley-backup`. */
export const backupFormat = 'galley-library-backup'
const backupVersion = 1

const manifestSchema = z.strictObject({
  format: z.literal(backupFormat),
  version: z.literal(backupVersion),
  created_at: moment,
  /** The last entry of its log. */
  position: z.int().min(1),
  /** Segments of the log, the checkpoint before them if the log was folded, and callbacks. */
  parts: z
    .array(
      z.strictObject({
        path: z.string().regex(/^(log\/\d{20}\.jsonl|checkpoints\/\d{20}\.db\.gz|local\.db)$/),
        bytes,
        sha256,
      }),
    )
    .refine((parts) => areDistinct(parts.map(({ path }) => path))),
  /** A small backup contains only the log: the files are still in the library. */
  without_files: z.boolean(),
  /** `sha256` if the content does not match the name: the file was damaged before the backup. */
  files: z
    .array(z.strictObject({ name: sha256, bytes, sha256: sha256.optional() }))
    .refine((files) => areDistinct(files.map(({ name }) => name))),
  /** Files that the library names but no longer had. */
  missing: z.array(sha256),
})
export type BackupManifest = z.infer<typeof manifestSchema>

/** The manifest in a text. `earlier`: of a build before 0.1.0; `newer`: of a later version. Null if Galley did not write the text. */
export function parseManifest(text: string): BackupManifest | 'earlier' | 'newer' | null {
  const json = parsedJson(text)
  const parsed = manifestSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const { format, version } = Object(json) as { readonly format?: unknown; readonly version?: unknown }
  if (format === backupFormat && typeof version === 'number' && version > backupVersion) return 'newer'
  return format === 'galley-backup' ? 'earlier' : null
}

/** An entry of a backup according to its manifest. */
export interface PromisedEntry {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
}

/** The entries before the manifest, in order. */
export const promisedEntries = (manifest: BackupManifest): readonly PromisedEntry[] => [
  ...manifest.parts.map(({ path, bytes: sizeBytes, sha256: hash }) => ({ path, sizeBytes, sha256: hash })),
  ...manifest.files.map((file) => ({
    path: filePath(file.name),
    sizeBytes: file.bytes,
    sha256: file.sha256 ?? file.name,
  })),
]

/** The size of an entry in the ZIP in bytes, with its header. */
export const spanOf = ({ path, sizeBytes }: Pick<ZipEntry, 'path' | 'sizeBytes'>): number =>
  localHeader({ path, sizeBytes: 0, crc32: 0 }).length + sizeBytes

/** The position of the manifest. Stored in the ZIP comment, so that it can be read from the end of the file. */
export interface ManifestRange {
  readonly offset: number
  readonly sizeBytes: number
}

export const backupComment = ({ offset, sizeBytes }: ManifestRange): string => `galley-backup ${offset} ${sizeBytes}`

/** Reads the comment from the end of a file; null if the file is not a Galley backup. */
export function manifestRange(tail: Buffer): ManifestRange | null {
  const [, offset, sizeBytes] = /galley-backup (\d{1,15}) (\d{1,10})$/.exec(tail.toString('latin1')) ?? []
  return offset === undefined ? null : { offset: Number(offset), sizeBytes: Number(sizeBytes) }
}
