import type { Cause } from '@galley/wire'
import { assertNever, causeSentence } from '@galley/wire'

import type { BrokenLink } from './broken-link.ts'
import { bundlePath } from './paths.ts'

/** A mistake in a theme, and its position. */
export interface ThemeProblem {
  readonly file: string
  /** Counted from 1. Null if the problem concerns the whole file. */
  readonly line: number | null
  readonly column: number | null
  readonly problem: Cause
}

/** Why an export may not write to a target. */
export type NotOurs = keyof typeof notOursWords

/** All failures of an export. Paths are relative to the target and use `/`. */
export type ExportFailure =
  /** The target contains something that no export created. */
  | { readonly kind: 'not_ours'; readonly target: string; readonly problem: NotOurs }
  /** Another export is writing to the target. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'invalid_base_url'; readonly baseUrl: string }
  | ({ readonly kind: 'invalid_theme' } & ThemeProblem)
  /** The target has a link or a folder at the path of a file of the bundle. Following it could write anywhere. */
  | { readonly kind: 'unsafe_target'; readonly path: string; readonly found: 'link' | 'folder' | 'file' | 'other' }
  /** The target has a file at the path of a file of the bundle that is not in the bundle's manifest. */
  | { readonly kind: 'foreign_file'; readonly path: string }
  /** A file had different bytes when it was read back, twice. */
  | { readonly kind: 'unreliable_target'; readonly path: string }
  /** `count`: of all of them; `links` names the first ones. */
  | { readonly kind: 'broken_links'; readonly links: readonly BrokenLink[]; readonly count: number }
  /** The stored bytes are not those that were saved. */
  | {
      readonly kind: 'damaged_blob'
      readonly name: string
      readonly sha256: string
      readonly problem: 'altered' | 'unreadable'
    }
  | { readonly kind: 'io_failed'; readonly code: string; readonly path: string | null }

const foundWords = { link: 'a symbolic link', folder: 'a folder', file: 'a file', other: 'a device or a socket' }

const notOursWords = {
  not_folder: 'is not a folder',
  not_file: 'is not a plain file',
  in_library: 'is in a Galley library',
  other_content: 'is not empty and does not contain a Galley export',
  other_file: 'was not written by an export',
  other_manifest: `has a ${bundlePath.manifest} that Galley did not write`,
  other_journal: `has a ${bundlePath.journal} that Galley did not write`,
}

/** What happened, what it means for the data, what to do next. */
export function describeExportFailure(failure: ExportFailure): string {
  switch (failure.kind) {
    case 'not_ours':
      return `${failure.target} ${notOursWords[failure.problem]}. Nothing was written. Choose a new or empty folder, or a new file name.`
    case 'busy':
      return 'Another export is writing to this destination. Nothing was written. Export again when it has finished.'
    case 'invalid_base_url':
      return `${failure.baseUrl} is not an http or https URL without a query. Nothing was written.`
    case 'invalid_theme':
      return `This theme cannot be used: ${placeInTheme(failure)}: ${causeSentence(failure.problem)}. Nothing was written.`
    case 'unsafe_target':
      return `The destination contains ${foundWords[failure.found]} that Galley did not create: ${failure.path}. Nothing was written. Move it elsewhere, then export again.`
    case 'foreign_file':
      return `The export would overwrite ${failure.path}, a file that Galley did not create. Nothing was written. Move it elsewhere, then export again.`
    case 'unreliable_target':
      return `The destination does not keep what is written to it: ${failure.path} was read back with different content. The previous export is unchanged. Check the disk, then export to another destination.`
    case 'broken_links':
      return `The export has ${failure.count === 1 ? '1 broken link' : `${failure.count} broken links, the first one`}: ${failure.links[0]?.ref ?? ''} in ${failure.links[0]?.page ?? ''}. Nothing was written. Fix the pages, or export with --check warn.`
    case 'damaged_blob':
      return `The stored file ${failure.name} is ${failure.problem === 'altered' ? 'not what was saved' : 'missing or unreadable'} (SHA-256 ${failure.sha256}). It was not exported. Run galley fsck.`
    case 'io_failed':
      return `The destination cannot be written (${failure.code}${failure.path === null ? '' : `, ${failure.path}`}). The previous export is intact. Fix the problem, then export again.`
    default:
      return assertNever(failure)
  }
}

const placeInTheme = ({ file, line, column }: ThemeProblem): string =>
  line === null ? file : `${file}, line ${line}${column === null ? '' : `, column ${column}`}`
