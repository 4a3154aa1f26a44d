import type { VersionId } from '@galley/wire'

import { verdictInForce } from '../../records/fields.ts'
import type { VersionFacts, VersionMarks } from '../../records/version.ts'
import { fieldValues } from '../database/field-columns.ts'

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

/** These columns of a version `v` of a material `m`. Without the metadata, which may have megabytes. */
export const factsColumns = `v.version_id, v.number, v.version_cdate, v.received_at, v.user_email, v.media_count,
    v.size_bytes, v.id = m.current_version AS is_current`

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

/** What people have set on a version. */
export function versionMarks(row: object): VersionMarks {
  const { verdict, ...others } = fieldValues('version', row)
  return { ...others, verdict: verdictInForce(verdict) }
}
