import { redactMetadata } from '../../../contract/domain/redaction.ts'
import type { RemarkCode } from '../../../contract/domain/remark.ts'
import { decodeUtf8 } from './entry-name.ts'

/** What becomes of metadata_json.json. */
export interface ArchiveMetadata {
  /** A JSON object as text, without callback credentials; null when there is none to be read. */
  readonly text: string | null
  /** What takes its place in the kept archive; null: it may be kept as it is. */
  readonly replacement: Buffer | null
  readonly warning: RemarkCode | null
}

const empty = Buffer.from('{}')

/**
 * Reads metadata without trusting it. The page does not depend on it, so metadata that cannot be read is a warning; but
 * since what cannot be read cannot be searched for credentials either, it is not kept.
 */
export function readMetadata(content: Buffer): ArchiveMetadata {
  const unreadable = (warning: RemarkCode): ArchiveMetadata => ({ text: null, replacement: empty, warning })
  const decoded = decodeUtf8(content)
  if (decoded === null) return unreadable('metadata_not_utf8')
  const mark = decoded.startsWith('\ufeff') ? '\ufeff' : ''
  const redacted = redactMetadata(decoded.slice(mark.length))
  if (!redacted.ok) return unreadable('metadata_not_json')
  const { text, changed } = redacted.value
  const isObject = text.trimStart().startsWith('{')
  return {
    text: isObject ? text : null,
    replacement: changed ? Buffer.from(mark + text) : null,
    warning: isObject ? null : 'metadata_no_object',
  }
}
