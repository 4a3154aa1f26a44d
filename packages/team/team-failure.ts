/** Why a library could not join, start or leave a team. Nothing was changed that must be undone manually. */
export type TeamFailureCode =
  /** The library is already a member of a team. */
  | 'already_member'
  | 'not_a_member'
  /** The folder holds a library with contents, which would be lost. */
  | 'library_not_empty'
  /** The bucket holds another library under this prefix. */
  | 'bucket_in_use'
  | 'no_team_library'
  /** The bucket was written by a newer Galley, or by an older one whose checkpoints can no longer be used. */
  | 'other_galley'
  | 'earlier_library'
  | 'library_damaged'
  | 'files_missing'
  | 'folder_target'
  | 'library_in_use'
  | 'secrets_unavailable'
  /** The operation needs to write, and the keys are read-only. */
  | 'read_only'
  /** Changes made without the bucket are not in it yet. */
  | 'changes_waiting'
  | 'unknown_change'
  /** The material or version of the change no longer exists. */
  | 'change_gone'

export class TeamFailure extends Error {
  readonly code: TeamFailureCode
  /** A number or name that belongs to the code. */
  readonly fact: string | number | null
  constructor(code: TeamFailureCode, fact: string | number | null = null) {
    super(`A team library could not be used: ${code}`)
    this.code = code
    this.fact = fact
  }
}
