import { redactMetadata } from '../../contract/metadata.ts'
import { decodeUtf8 } from './entry-name.ts'

/** What becomes of metadata_json.json. */
export interface ArchiveMetadata {
  /** A JSON object as text, without callback credentials; null when there is none to be read. */
  readonly text: string | null
  /** What takes its place in the kept archive; null: it may be kept as it is. */
  readonly replacement: Buffer | null
  readonly warning: string | null
}

const empty = Buffer.from('{}')

/**
 * Reads metadata without trusting it. The page does not depend on it, so metadata that cannot be read is a warning; but
 * since what cannot be read cannot be searched for credentials either, it is not kept.
 */
export function readMetadata(content: Buffer): ArchiveMetadata {
  const unreadable = (why: string): ArchiveMetadata => ({
    text: null,
    replacement: empty,
    warning: `metadata_json.json was left out: ${why}.`,
  })
  const decoded = decodeUtf8(content)
  if (decoded === null) return unreadable('it is not UTF-8')
  const mark = decoded.startsWith('\ufeff') ? '\ufeff' : ''
  const redacted = redactMetadata(decoded.slice(mark.length))
  if (!redacted.ok) return unreadable('it is not JSON')
  const { text, changed } = redacted.value
  const isObject = text.trimStart().startsWith('{')
  return {
    text: isObject ? text : null,
    replacement: changed ? Buffer.from(mark + text) : null,
    warning: isObject ? null : 'metadata_json.json holds no object and was not used.',
  }
}
