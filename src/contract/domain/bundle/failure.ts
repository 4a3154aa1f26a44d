import { assertNever } from '../../result.ts'
import type { BrokenLink } from './links.ts'

/** Every way an export can end without a bundle. Paths are inside the target, with `/`. */
export type ExportFailure =
  /** The target holds something that no export made. */
  | { readonly kind: 'not_ours'; readonly target: string; readonly problem: string }
  /** Another export writes there now. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'invalid_base_url'; readonly baseUrl: string }
  | { readonly kind: 'invalid_theme'; readonly file: string; readonly problem: string }
  /** A link or a folder stands where a file of the bundle belongs; following it could write anywhere. */
  | { readonly kind: 'unsafe_target'; readonly path: string; readonly found: 'link' | 'folder' | 'file' | 'other' }
  /** A file that is not in the bundle's manifest stands where one of its files belongs. */
  | { readonly kind: 'foreign_file'; readonly path: string }
  /** Read back, a file has other bytes than were written, twice. */
  | { readonly kind: 'unreliable_target'; readonly path: string }
  | { readonly kind: 'broken_links'; readonly links: readonly BrokenLink[] }
  /** The library's bytes are not those that were saved. */
  | {
      readonly kind: 'damaged_blob'
      readonly name: string
      readonly sha256: string
      readonly problem: 'altered' | 'unreadable'
    }
  | { readonly kind: 'io_failed'; readonly code: string; readonly path: string | null }

/** Whether the command line was used wrongly, which exits 2 instead of 1 (docs/api.md, section 2). */
export const isWrongUsage = ({ kind }: ExportFailure): boolean =>
  kind === 'not_ours' || kind === 'invalid_base_url' || kind === 'invalid_theme'

const foundWords = { link: 'a symbolic link', folder: 'a folder', file: 'a file', other: 'a device or a socket' }

/** What happened, what it means for the data, what to do next. */
export function describeExportFailure(failure: ExportFailure): string {
  switch (failure.kind) {
    case 'not_ours':
      return `${failure.target} ${failure.problem}. Nothing was written. Choose a new or empty folder, or a new file name.`
    case 'busy':
      return 'Another export is writing to this target. Nothing was written. Export again when it has ended.'
    case 'invalid_base_url':
      return `${failure.baseUrl} is not an http or https address without a query. Nothing was written.`
    case 'invalid_theme':
      return `The theme cannot be used: ${failure.file}: ${failure.problem}. Nothing was written.`
    case 'unsafe_target':
      return `At ${failure.path} in the target stands ${foundWords[failure.found]} that no export put there. Nothing was written. Move it away, then export again.`
    case 'foreign_file':
      return `${failure.path} in the target was not written by an export and would be overwritten. Nothing was written. Move it away, then export again.`
    case 'unreliable_target':
      return `The target does not keep what is written to it: ${failure.path} was read back with other bytes. The pages there are as they were. Check the disk, then export to another target.`
    case 'broken_links':
      return `${failure.links.length} ${failure.links.length === 1 ? 'reference leads' : 'references lead'} to nothing, first ${failure.links[0]?.ref ?? ''} in ${failure.links[0]?.page ?? ''}. Nothing was written. Correct the pages, or export with --check warn.`
    case 'damaged_blob':
      return `The stored file ${failure.name} is ${failure.problem === 'altered' ? 'not the one that was saved' : 'missing or cannot be read'} (SHA-256 ${failure.sha256}). It was not exported. Check the library with fsck.`
    case 'io_failed':
      return `The target cannot be written (${failure.code}${failure.path === null ? '' : `, ${failure.path}`}). What is there is whole; export again when that is mended.`
    default:
      return assertNever(failure)
  }
}
