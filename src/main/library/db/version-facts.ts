import type { VersionFacts } from '../../../contract/domain/version.ts'
import type { VersionId } from '../../../contract/ids.ts'

/** The columns of a version that all lists need. */
export interface FactsRow {
  version_id: VersionId
  number: number
  version_cdate: string | null
  received_at: string
  user_email: string | null
  media_count: number
  size_bytes: number
  is_current: number
}

export const versionFacts = (row: FactsRow): VersionFacts => ({
  versionId: row.version_id,
  number: row.number,
  versionCdate: row.version_cdate,
  receivedAt: row.received_at,
  userEmail: row.user_email,
  mediaCount: row.media_count,
  sizeBytes: row.size_bytes,
  current: row.is_current === 1,
})
