import { redactMetadata } from '@galley/wire'

import type { RemarkCode } from '../records/remark.ts'
import { decodeUtf8 } from './entry-name.ts'

/** The result of reading metadata_json.json. */
export interface ArchiveMetadata {
  /** A JSON object as text without callback credentials; null if it cannot be read. */
  readonly text: string | null
  /** The replacement in the stored archive; null if the original may be stored. */
  readonly replacement: Buffer | null
  readonly warning: RemarkCode | null
}

const empty = Buffer.from('{}')

/**
 * Reads untrusted metadata. The page does not depend on it, so unreadable metadata only causes a warning. It is not stored,
 * because it cannot be searched for credentials.
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
