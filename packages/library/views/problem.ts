import type { Cause, OpenFailure, Result } from '@galley/wire'

import type { ExportFailure } from '../records/failure.ts'

/** All reasons why a call can fail. The window has a text for each code in every language. */
export type ProblemCode =
  | OpenFailure['kind']
  | ExportFailure['kind']
  | 'invalid_site'
  | 'secrets_read_only'
  | 'unknown_material'
  | 'unknown_version'
  | 'unknown_snapshot'
  | 'unknown_callback'
  | 'unknown_export'
  | 'unknown_task'
  | 'invalid_tag'
  | 'invalid_name'
  | 'address_taken'
  | 'invalid_address'
  | 'invalid_social_image'
  | 'invalid_pattern'
  | 'path_not_chosen'
  | 'not_confirmed'
  | 'target_gone'
  | 'not_a_sites_file'
  | 'not_a_backup'
  | 'damaged_backup'
  | 'not_ours'
  | 'newer_library'
  | 'earlier_library'
  | 'folder_not_empty'
  | 'folder_unusable'
  | 'library_folder_gone'
  | 'cannot_listen'
  | 'file_failed'
  | 'care_failed'
  | 'cancelled'
  | 'try_it_failed'
  | 'busy'
  | 'log_damaged'
  | 'index_held'
  | 'library_read_only'
  | 'log_mismatch'
  | 'served_elsewhere'
  | 'team_read_only'
  | 'archive_damaged'
  | 'pages_unreadable'
  | 'unknown_target'
  | 'invalid_target'
  | 'target_unconfirmed'
  | 'target_foreign'
  | 'many_removals'
  | 'target_failed'
  | 'not_recorded'
  | 'not_public'
  | 'not_verified'
  | 'unknown_release'
  | 'release_not_kept'
  | 'publish_stopped'
  | 'not_openable'
  | 'team_refused'
  | 'team_failed'
  | 'unexpected'

/** Values for the text of a problem. */
export type ProblemFacts = Readonly<Record<string, string | number | boolean | Cause | null>>

/** Why a call failed: a stable code and its facts. The window translates them. */
export interface CallProblem {
  readonly code: ProblemCode
  /** The form field to correct, if there is one. */
  readonly field?: string
  readonly facts?: ProblemFacts
}

/** The result of a call that can fail in an expected way. */
export type Answer<Value> = Result<Value, CallProblem>
