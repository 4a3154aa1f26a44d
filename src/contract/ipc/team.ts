import { z } from 'zod'

import type { Cause } from '../cause.ts'
import type { Verdict } from '../domain/fields.ts'
import type { MaterialId, SiteId, TaskId, VersionId } from '../ids.ts'
import type { ChosenPath } from './chosen-path.ts'
import { chosenToken } from './chosen-path.ts'
import type { Answer, Inputs } from './problem.ts'

/** How far a member of a team follows the log in the bucket. */
export type TeamSyncState =
  /** The bucket has not been asked yet. */
  | { readonly kind: 'looking' | 'current' }
  /** Entries of the log are not applied here yet. */
  | { readonly kind: 'behind'; readonly entries: number }
  /** The bucket cannot be reached, which may be temporary. */
  | { readonly kind: 'offline'; readonly since: string; readonly why: Cause }
  /** Following has stopped until a person fixes the cause. */
  | { readonly kind: 'stopped'; readonly since: string; readonly why: Cause }
  /** The log is followed, but the bucket refuses writes. With `isReadOnly` the keys are known to be the cause. */
  | { readonly kind: 'refusing'; readonly since: string; readonly why: Cause }

/** A library that is a member of a team; the keys of its bucket stay in main. */
export interface TeamView {
  readonly bucket: string
  readonly prefix: string
  readonly endpoint: string | null
  readonly region: string | null
  /** The keys can read the team library, but not write to it. */
  readonly isReadOnly: boolean
  /** When conditional writes were last tested, and with how many requests; 0: the keys cannot write. */
  readonly probe: { readonly at: string; readonly requests: number }
  readonly syncState: TeamSyncState
  /** Changes of this computer that the bucket does not have yet. */
  readonly waiting: number
  /** Changes that conflict with the team's; a person must decide. */
  readonly undecided: number
}

const text = z.string().max(2000)

const teamPlace = z.strictObject({
  bucket: text,
  prefix: text,
  endpoint: text.nullable(),
  region: text.nullable(),
})
export type TeamLocationForm = z.infer<typeof teamPlace>

/** The keys of a bucket; no answer contains them. */
const teamKeys = z.strictObject({ id: text, secret: z.string().max(4000) })
export type TeamKeysForm = z.infer<typeof teamKeys>

const teamForm = z.strictObject({ place: teamPlace, keys: teamKeys })
const testForm = teamForm.extend({ what: z.enum(['join', 'import']) })
/** `folder`: a new folder chosen in a dialog (`chooseTeamFolder`); null: none was chosen. */
const joinForm = teamForm.extend({ folder: chosenToken.nullable() })
/** null: the stored keys. */
const resumeForm = z.strictObject({ keys: teamKeys.nullable() })
const leaveForm = z.strictObject({
  /** Fetches every file to this computer first. */
  fetchAll: z.boolean(),
})

/** What the test of a bucket has found. */
export interface TeamLocationTest {
  /** How many requests tested the conditional writes; 0: the keys cannot write. */
  readonly requests: number
}

/** The folder of the new member; the open library does not change. */
export interface JoinedTeam {
  readonly folder: string
}

/** A folder that began to join a team and was interrupted. */
export interface UnfinishedJoin {
  readonly folder: string
  readonly place: TeamLocationForm
  /** Whether the keychain, or the environment, has keys for the bucket. */
  readonly hasKeys: boolean
}

/** A library that has left its team. */
export interface LeftTeam {
  /** Files that are only in the bucket. */
  readonly filesMissing: number
}

/** The value of a field. `null`: no verdict. */
export type FieldValue = string | boolean | readonly string[] | Pick<Verdict, 'decision' | 'reason'> | null

/** A change made here without the bucket, of a field that the team has changed too. */
export interface TeamConflict {
  readonly id: number
  readonly site: { readonly id: SiteId; readonly name: string }
  readonly materialId: MaterialId
  /** null: the team has deleted the material. */
  readonly title: string | null
  /** null for a field of the material. `number` null: the team has deleted the version. */
  readonly version: { readonly id: VersionId; readonly number: number | null } | null
  /** `tag`: whether the material has the tag `tag`; `tags`: all tags of a version. */
  readonly field: 'pinned' | 'tags' | 'note' | 'verdict' | 'title' | 'slug' | 'archivedAt' | 'tag'
  readonly tag: string | null
  /** When it was changed here. */
  readonly at: string
  readonly before: FieldValue
  readonly mine: FieldValue
  /** null: the material or version was deleted, so nothing can be written. `at` null: the log has no time for it. */
  readonly theirs: { readonly value: FieldValue; readonly at: string | null } | null
}

export interface TeamConflicts {
  readonly total: number
  /** The oldest, at most `conflictsAtMost`. */
  readonly conflicts: readonly TeamConflict[]
}

/** A person decides conflicts one by one, so longer lists are of no use. */
export const conflictsAtMost = 100

const decision = z.strictObject({ id: z.int(), take: z.enum(['mine', 'theirs']) })

export interface TeamCalls {
  /** null: not a team library. */
  readTeam: { input: undefined; output: TeamView | null }
  /** Checks the bucket for new entries now. */
  lookAtTeam: { input: undefined; output: TeamView | null }
  /** Asks for a new folder to join in; null if the person cancels. */
  chooseTeamFolder: { input: undefined; output: ChosenPath | null }
  /** A system dialog asks whether to use this address; the call that then uses it does not ask again. */
  testTeamPlace: { input: z.infer<typeof testForm>; output: Answer<TeamLocationTest> }
  /** A system dialog asks whether to use this address. The task ends with a JoinedTeam. */
  startTeamJoin: { input: z.infer<typeof joinForm>; output: Answer<{ readonly task: TaskId }> }
  /** Restarts the app with the library that joined last in this session. */
  openJoinedLibrary: { input: undefined; output: Answer<null> }
  /** The folder that the app was started with, if it must finish joining first; otherwise null. */
  unfinishedJoin: { input: undefined; output: UnfinishedJoin | null }
  /** A system dialog asks whether to use this address. The task ends with a JoinedTeam. */
  resumeTeamJoin: { input: z.infer<typeof resumeForm>; output: Answer<{ readonly task: TaskId }> }
  /**
   * Makes the open library the first of a team. A system dialog asks whether to use this address. No saves are received
   * until the task has ended.
   */
  startTeamImport: { input: z.infer<typeof teamForm>; output: Answer<{ readonly task: TaskId }> }
  /** A system dialog asks first; null if the person cancels. The task ends with a LeftTeam. */
  startTeamLeave: { input: z.infer<typeof leaveForm>; output: Answer<{ readonly task: TaskId } | null> }
  /** Tries other keys for the same bucket, and keeps them if they open the same library. */
  changeTeamKeys: { input: z.infer<typeof teamKeys>; output: Answer<null> }
  /** Changes that a person must decide. */
  teamConflicts: { input: undefined; output: TeamConflicts }
  /** `mine` is written, now or when the bucket can be reached; `theirs` drops the change made here. */
  decideTeamConflict: { input: z.infer<typeof decision>; output: Answer<null> }
}

export const teamInputs: Inputs<TeamCalls> = {
  readTeam: z.undefined(),
  lookAtTeam: z.undefined(),
  chooseTeamFolder: z.undefined(),
  testTeamPlace: testForm,
  startTeamJoin: joinForm,
  openJoinedLibrary: z.undefined(),
  unfinishedJoin: z.undefined(),
  resumeTeamJoin: resumeForm,
  startTeamImport: teamForm,
  startTeamLeave: leaveForm,
  changeTeamKeys: teamKeys,
  teamConflicts: z.undefined(),
  decideTeamConflict: decision,
}
