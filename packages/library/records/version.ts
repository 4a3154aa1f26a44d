import type { MaterialId, Sha256, SiteId, VersionId } from '@galley/wire'

import type { FieldValues, Verdict } from './fields.ts'
import type { Remark } from './remark.ts'

/** The facts of a version in every list. Sizes in bytes, `receivedAt` in ISO 8601 UTC. */
export interface VersionFacts {
  readonly versionId: VersionId
  /** Numbered by arrival from 1. Numbers of deleted versions are not reused. */
  readonly number: number
  /** As sent by the service, or null if it sent none. */
  readonly versionCdate: string | null
  readonly receivedAt: string
  readonly userEmail: string | null
  readonly mediaCount: number
  /** The total of HTML, state and media. */
  readonly sizeBytes: number
  readonly current: boolean
}

/** What people have set on a version. */
export interface VersionMarks extends Omit<FieldValues<'version'>, 'verdict'> {
  readonly verdict: Verdict | null
}

/** A saved state of a material with the hashes of its parts. */
export interface VersionSummary extends VersionFacts, VersionMarks {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly htmlSha256: Sha256
  /** The archive as received. */
  readonly archiveSha256: Sha256
  /** The stored archive without callback credentials; equal to `archiveSha256` if there were none. */
  readonly keptSha256: Sha256
  readonly warnings: readonly Remark[]
  /** The heading of its page; null if it has none, or if it was not read yet. */
  readonly heading: string | null
  readonly publicUrls: Readonly<Record<string, string>>
}

/** A media file of a version. */
export interface MediaFile {
  /** Its name inside `vms_media/`; may contain `/`. */
  readonly name: string
  readonly sizeBytes: number
  readonly sha256: Sha256
  readonly url: string
}

/** A `version_cdate` in milliseconds since 1970, or null if it cannot be parsed. */
export function cdateMs(versionCdate: string | null): number | null {
  if (versionCdate === null) return null
  // `Date.parse` does not read an offset in hours alone.
  const text = versionCdate.replace(/(?<=:\d\d(?:\.\d+)?[+-]\d\d)$/, ':00')
  // Without an offset, UTC is assumed: local time would differ between computers.
  const hasOffset = /(?:[a-z]|[+-]\d\d:?\d\d)$/i.test(text)
  const ms = Date.parse(hasOffset ? text : `${text}Z`)
  return Number.isNaN(ms) ? null : ms
}

/** The creation time of a version: from the service, otherwise when it was received; ISO 8601 UTC. */
export function versionMoment({ versionCdate, receivedAt }: Pick<VersionFacts, 'versionCdate' | 'receivedAt'>): string {
  const ms = cdateMs(versionCdate) ?? cdateMs(receivedAt)
  return ms === null ? '' : new Date(ms).toISOString()
}
