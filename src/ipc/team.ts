import { chosenToken } from '@galley/library/records'
import type { Answer, TeamConflicts, TeamView } from '@galley/library/records'
import { z } from 'zod'

import type { ChosenPath, Started } from './call.ts'
import { asks, nothing } from './call.ts'

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

export const teamCalls = {
  /** null: not a team library. */
  readTeam: asks(nothing).gives<TeamView | null>(),
  /** Checks the bucket for new entries now. */
  syncTeam: asks(nothing).gives<TeamView | null>(),
  /** Asks for a new folder to join in; null if the person cancels. */
  chooseTeamFolder: asks(nothing).gives<ChosenPath | null>(),
  /** A system dialog asks whether to use this address; the call that then uses it does not ask again. */
  testTeamPlace: asks(testForm).gives<Answer<TeamLocationTest>>(),
  /** A system dialog asks whether to use this address. The task ends with a JoinedTeam. */
  startTeamJoin: asks(joinForm).gives<Started>(),
  /** Restarts the app with the library that joined last in this session. */
  openJoinedLibrary: asks(nothing).gives<Answer<null>>(),
  /** The folder that the app was started with, if it must finish joining first; otherwise null. */
  unfinishedJoin: asks(nothing).gives<UnfinishedJoin | null>(),
  /** A system dialog asks whether to use this address. The task ends with a JoinedTeam. */
  resumeTeamJoin: asks(resumeForm).gives<Started>(),
  /**
   * Makes the open library the first of a team. A system dialog asks whether to use this address. No saves are received
   * until the task has ended.
   */
  startTeamImport: asks(teamForm).gives<Started>(),
  /** A system dialog asks first; null if the person cancels. The task ends with a LeftTeam. */
  startTeamLeave: asks(leaveForm).gives<Started | Answer<null>>(),
  /** Tries other keys for the same bucket, and keeps them if they open the same library. */
  changeTeamKeys: asks(teamKeys).gives<Answer<null>>(),
  /** Changes that a person must decide. */
  teamConflicts: asks(nothing).gives<TeamConflicts>(),
  /** `mine` is written, now or when the bucket can be reached; `theirs` drops the change made here. */
  decideTeamConflict: asks(decision).gives<Answer<null>>(),
}
