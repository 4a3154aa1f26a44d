import { createHash } from 'node:crypto'
import { cause, fail, mediaRole, ok } from '@galley/wire'
import type { Result } from '@galley/wire'

import { personOf } from '../records/person.ts'
import { decodeUtf8 } from './entry-name.ts'
import type { JobTools } from './job-tools.ts'
import type { ArchiveFailure, CleanArchiveJob, RewrittenArchive } from './jobs.ts'
import { readMetadata } from './metadata.ts'
import type { OpenArchive } from './open-archive.ts'
import { copyRange, redact } from './redact.ts'

/** Rewrites a stored archive with clean metadata. Everything else is copied byte for byte. */
export async function cleanArchive(
  { email, archive: file }: CleanArchiveJob,
  archive: OpenArchive,
  { staging }: JobTools,
): Promise<Result<RewrittenArchive, ArchiveFailure>> {
  const unchanged = ok({ kind: 'rewritten', kept: null } as const)
  const entry = archive.entries.find(({ name }) => mediaRole(name).kind === 'metadata')
  if (entry === undefined) return unchanged
  const content = await archive.readText(entry)
  if (!content.ok) return content
  const clean = email === null ? readMetadata(content.value).replacement : withoutPerson(content.value, email)
  if (clean === null) return unchanged
  // A copy of damaged bytes would be stored under its own hash, and no check could detect the damage.
  const hash = createHash('sha256')
  copyRange(archive.fd, 0, archive.sizeBytes, { take: (chunk) => hash.update(chunk) })
  if (hash.digest('hex') !== file.sha256) return fail({ kind: 'invalid_archive', problem: cause('bad_checksum') })
  const kept = redact(archive, entry, clean, () => staging.createFile('kept.zip'))
  return kept.ok ? ok({ kind: 'rewritten', kept: kept.value }) : kept
}

function withoutPerson(content: Buffer, email: string): Buffer | null {
  // Metadata that is not text was never stored.
  const text = decodeUtf8(content) ?? ''
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const known = text.slice(mark.length)
  const left = personOf(email).withoutInJson(known)
  return left === known ? null : Buffer.from(mark + left)
}
