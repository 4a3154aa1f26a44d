/** Why a library did not join a team, become one's, or leave it. Nothing was changed that has to be undone by hand. */
export type TeamFailureCode =
  /** The library is a member of a team already. */
  | 'already_member'
  | 'not_a_member'
  /** The folder holds a library with contents, and would have to give them up. */
  | 'library_not_empty'
  /** The bucket holds another library at this place. */
  | 'bucket_in_use'
  | 'no_team_library'
  /** What the bucket holds was written by a newer Galley, or by an older one whose checkpoints do not fit any more. */
  | 'other_galley'
  | 'library_damaged'
  | 'files_missing'
  | 'archives_unredacted'
  | 'folder_target'
  | 'library_in_use'
  | 'secrets_unavailable'
  /** The keys may not write, and this needs them to. */
  | 'read_only'
  /** Changes that were made without the bucket are not in it yet. */
  | 'changes_waiting'
  | 'unknown_change'
  /** The material or version of a change is gone. */
  | 'change_gone'

export class TeamFailure extends Error {
  readonly code: TeamFailureCode
  /** A number or a name that belongs to the code. */
  readonly fact: string | number | null
  constructor(code: TeamFailureCode, fact: string | number | null = null) {
    super(`A team library could not be used: ${code}`)
    this.code = code
    this.fact = fact
  }
}
