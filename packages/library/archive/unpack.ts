import { openSync } from 'node:fs'
import { cause, fail, mayReferToFiles, ok, shownName } from '@galley/wire'
import type { ArchiveLimits, EntryRole, Result, Sha256 } from '@galley/wire'

import { readMaxBytes } from './file-references.ts'
import type { JobTools } from './job-tools.ts'
import type { ArchiveFailure, StagedFile } from './jobs.ts'
import type { ZipEntry } from './local-headers.ts'
import type { ArchiveMetadata } from './metadata.ts'
import { readMetadata } from './metadata.ts'
import type { Written } from './new-file.ts'
import type { OpenArchive } from './open-archive.ts'
import { redact } from './redact.ts'

/** The checked contents of an archive. All files are stored. */
export interface Contents<Text extends string> {
  /** By name inside the media or fonts folder. */
  readonly files: ReadonlyMap<string, Written>
  readonly texts: ReadonlyMap<Text, Buffer>
  /** The content of media files that may refer to others, as far as it is read with the save. */
  readonly naming: ReadonlyMap<Sha256, Buffer>
  readonly metadata: string | null
  readonly kept: StagedFile
}

/** An archive with the role of each file. Folders have none. */
export interface Assigned<Text extends string> {
  readonly archive: OpenArchive
  readonly roles: readonly { readonly entry: ZipEntry; readonly role: EntryRole<Text> }[]
}

/** Assigns a role to every file. Refuses the archive if a required text is missing or too large for memory. */
export function assignRoles<Text extends string>(
  archive: OpenArchive,
  limits: ArchiveLimits,
  roleOf: (name: string) => EntryRole<Text>,
  required: Readonly<Record<string, string>>,
): Result<Assigned<Text>, ArchiveFailure> {
  const roles = archive.entries
    .filter((entry) => !entry.isDirectory)
    .map((entry) => ({ entry, role: roleOf(entry.name) }))
  for (const { entry, role } of roles) {
    if (role.kind === 'file' || role.kind === 'unexpected' || entry.sizeBytes <= limits.textBytes) continue
    return fail({
      kind: 'content_too_large',
      what: cause('file_size', { name: shownName(entry.name) }),
      limit: limits.textBytes,
    })
  }
  for (const [kind, name] of Object.entries(required)) {
    const isThere = roles.some(({ role }) => role.kind === kind)
    if (!isThere) return fail({ kind: 'invalid_archive', problem: cause('lacks', { name }) })
  }
  return ok({ archive, roles })
}

/** Unpacks every entry once, in file order. Stops at the first fault. */
export async function unpackEntries<Text extends string>(
  { archive, roles }: Assigned<Text>,
  place: JobTools,
): Promise<Result<Contents<Text>, ArchiveFailure>> {
  const { staging, syncs, warnings, job } = place
  const metadataEntry = roles.find(({ role }) => role.kind === 'metadata')?.entry
  // Metadata first: it determines whether the original archive may be stored, and its sync can then run during the
  // unpacking.
  const metadata = await openMetadata(archive, metadataEntry)
  if (!metadata.ok) return metadata
  const { text, replacement, warning } = metadata.value
  if (warning !== null) warnings.add(warning)
  // Some systems can only sync files that are open for writing.
  if (replacement === null) syncs.add(openSync(job.archive.path, 'r+'))

  const files = new Map<string, Written>()
  const texts = new Map<Text, Buffer>()
  const naming = new Map<Sha256, Buffer>()
  let room = job.kind === 'unpackMedia' ? readMaxBytes : 0
  for (const { entry, role } of roles) {
    if (role.kind === 'metadata') continue
    if (role.kind === 'file') {
      await syncs.room()
      const isRead = mayReferToFiles(role.name) && entry.sizeBytes <= room
      const content: Buffer[] = []
      const written = await unpackFile(archive, entry, place, (chunk) => isRead && content.push(Buffer.from(chunk)))
      if (!written.ok) return written
      files.set(role.name, written.value)
      if (!isRead) continue
      room -= entry.sizeBytes
      naming.set(written.value.sha256, Buffer.concat(content))
    } else if (role.kind === 'unexpected') {
      const checked = await archive.pass(entry, () => undefined)
      if (!checked.ok) return checked
      warnings.add('entry_unexpected', shownName(entry.name))
    } else {
      const content = await archive.readText(entry)
      if (!content.ok) return content
      texts.set(role.kind, content.value)
    }
  }
  for (const folder of archive.entries.filter((entry) => entry.isDirectory)) {
    const checked = await archive.pass(folder, () => undefined)
    if (!checked.ok) return checked
  }

  const kept: Result<StagedFile, ArchiveFailure> =
    metadataEntry === undefined || replacement === null
      ? ok(job.archive)
      : redact(archive, metadataEntry, replacement, () => staging.createFile('kept.zip'))
  return kept.ok ? ok({ files, texts, naming, metadata: text, kept: kept.value }) : kept
}

async function openMetadata(
  archive: OpenArchive,
  entry: ZipEntry | undefined,
): Promise<Result<ArchiveMetadata, ArchiveFailure>> {
  if (entry === undefined) return ok({ text: null, replacement: null, warning: null })
  const content = await archive.readText(entry)
  return content.ok ? ok(readMetadata(content.value)) : content
}

async function unpackFile(
  archive: OpenArchive,
  entry: ZipEntry,
  { staging }: JobTools,
  onContent: (chunk: Buffer) => void,
): Promise<Result<Written, ArchiveFailure>> {
  if (archive.isSmall(entry))
    return archive.useSmall(entry, (content) => {
      onContent(content)
      return staging.keep(content)
    })
  const blob = staging.keepPieces()
  const passed = await archive.pass(entry, (chunk) => {
    onContent(chunk)
    blob.take(chunk)
  })
  return passed.ok ? ok(blob.done()) : passed
}
