import type { Cause } from '@galley/wire'

import type { BrokenLink } from './broken-link.ts'

/** A mistake in a theme, and its position. */
export interface ThemeProblem {
  readonly file: string
  /** Counted from 1. Null if the problem concerns the whole file. */
  readonly line: number | null
  readonly column: number | null
  readonly problem: Cause
}

/** All failures of an export. Paths are relative to the target and use `/`. */
export type ExportFailure =
  /** The target contains something that no export created. */
  | { readonly code: 'not_ours'; readonly target: string; readonly problem: Cause }
  /** Another export is writing to the target. */
  | { readonly code: 'busy'; readonly state: 'exporting' | 'publishing' }
  | { readonly code: 'invalid_base_url'; readonly baseUrl: string }
  | ({ readonly code: 'invalid_theme'; readonly state?: 'file' } & ThemeProblem)
  /** The target has a link or a folder at the path of a file of the bundle. Following it could write anywhere. */
  | { readonly code: 'unsafe_target'; readonly path: string; readonly found: 'link' | 'folder' | 'file' | 'other' }
  /** The target has a file at the path of a file of the bundle that is not in the bundle's manifest. */
  | { readonly code: 'foreign_file'; readonly path: string }
  /** A file had different bytes when it was read back, twice. */
  | { readonly code: 'unreliable_target'; readonly path: string }
  /** `count`: of all of them; `links` are the first ones. `ref` and `page` are those of the first. */
  | {
      readonly code: 'broken_links'
      readonly links: readonly BrokenLink[]
      readonly count: number
      readonly ref: string
      readonly page: string
    }
  /** The stored bytes are not those that were saved. */
  | {
      readonly code: 'damaged_blob'
      readonly name: string
      readonly sha256: string
      readonly problem: 'altered' | 'unreadable'
    }
  | { readonly code: 'io_failed'; readonly errno: string; readonly path: string | null }

/** The failure of a theme that cannot be used. */
export const invalidTheme = (problem: ThemeProblem): ExportFailure => ({
  code: 'invalid_theme',
  ...problem,
  ...(problem.line === null && { state: 'file' }),
})
