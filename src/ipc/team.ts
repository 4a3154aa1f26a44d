import { chosenToken } from '@galley/library/records'
import type { Answer, TeamConflicts, TeamView } from '@galley/library/records'
import type { TaskId } from '@galley/wire'
import { z } from 'zod'

import type { ChosenPath } from './chosen-path.ts'
import type { Inputs } from './problem.ts'

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

/** A folder that began to join a team and was interrupted. */
export interface UnfinishedJoin {
  readonly folder: string
  readonly place: TeamLocationForm
  /** Whether the keychain, or the environment, has keys for the bucket. */
  readonly hasKeys: boolean
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
