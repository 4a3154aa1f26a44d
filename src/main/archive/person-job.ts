import { mediaRole } from '../../contract/archive.ts'
import { personOf } from '../../contract/person.ts'
import type { Result } from '../../contract/result.ts'
import { ok } from '../../contract/result.ts'
import { decodeUtf8 } from './entry-name.ts'
import type { ArchiveFailure, ErasePersonJob, RewrittenArchive } from './jobs.ts'
import type { OpenArchive } from './open-archive.ts'
import { redact } from './redact.ts'
import type { Workplace } from './workplace.ts'

/** Writes the archive again without a person in its metadata; everything else is copied byte for byte. */
export async function erasePerson(
  { email }: ErasePersonJob,
  archive: OpenArchive,
  { staging }: Workplace,
): Promise<Result<RewrittenArchive, ArchiveFailure>> {
  const unchanged = ok({ kind: 'rewritten', kept: null } as const)
  const entry = archive.entries.find(({ name }) => mediaRole(name).kind === 'metadata')
  if (entry === undefined) return unchanged
  const content = await archive.readText(entry)
  if (!content.ok) return content
  // What is no text was not kept in the first place.
  const text = decodeUtf8(content.value) ?? ''
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const known = text.slice(mark.length)
  const left = personOf(email).withoutInJson(known)
  if (left === known) return unchanged
  const kept = redact(archive, entry, Buffer.from(mark + left), () => staging.createFile('kept.zip'))
  return kept.ok ? ok({ kind: 'rewritten', kept: kept.value }) : kept
}
