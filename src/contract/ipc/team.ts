import { z } from 'zod'

import type { Cause } from '../cause.ts'
import type { TaskId } from '../ids.ts'
import type { ChosenPath } from './chosen-path.ts'
import { chosenToken } from './chosen-path.ts'
import type { Answer, Inputs } from './problem.ts'

/** Where a member of a team stands with the log in the bucket. */
export type TeamStanding =
  /** The bucket has not been asked yet. */
  | { readonly kind: 'looking' | 'current' }
  /** Entries of the log are not applied here yet. */
  | { readonly kind: 'behind'; readonly entries: number }
  /** The bucket cannot be reached; this may pass by itself. */
  | { readonly kind: 'offline'; readonly since: string; readonly why: Cause }
  /** The team is not followed until somebody does something. */
  | { readonly kind: 'stopped'; readonly since: string; readonly why: Cause }

/** A library that is a member of a team; the keys of its bucket stay in main. */
export interface TeamView {
  readonly bucket: string
  readonly prefix: string
  readonly endpoint: string | null
  readonly region: string | null
  /** The keys can read the team library, but not write to it. */
  readonly isReadOnly: boolean
  /** When requests were last raced in the bucket, and how many; 0: the keys cannot write. */
  readonly probe: { readonly at: string; readonly requests: number }
  readonly standing: TeamStanding
  /** Changes of this computer that the bucket does not have yet. */
  readonly waiting: number
  /** Changes that were made elsewhere too, so that somebody has to decide. */
  readonly undecided: number
}

const text = z.string().max(2000)

const teamPlace = z.strictObject({
  bucket: text,
  prefix: text,
  endpoint: text.nullable(),
  region: text.nullable(),
})
export type TeamPlaceForm = z.infer<typeof teamPlace>

/** They go in and never come out. */
const teamKeys = z.strictObject({ id: text, secret: z.string().max(4000) })

const teamForm = z.strictObject({ place: teamPlace, keys: teamKeys })
/** `folder`: a new folder that a dialog gave (`chooseTeamFolder`); null: none was chosen. */
const joinForm = teamForm.extend({ folder: chosenToken.nullable() })
const leaveForm = z.strictObject({
  /** Brings every file to this computer first. */
  fetchAll: z.boolean(),
})

/** A folder that is a member now; the library that is open stays open. */
export interface JoinedTeam {
  readonly folder: string
}

/** A library that is alone again. */
export interface LeftTeam {
  /** Files that stayed in the bucket. */
  readonly filesMissing: number
}

export interface TeamCalls {
  /** null: the library is on this computer alone. */
  readTeam: { input: undefined; output: TeamView | null }
  /** Asks the bucket for news now. */
  lookAtTeam: { input: undefined; output: TeamView | null }
  /** Asks for a new folder to join in; null if the person cancels. */
  chooseTeamFolder: { input: undefined; output: ChosenPath | null }
  /** A system dialog asks whether to use this address. The task ends with a JoinedTeam. */
  startTeamJoin: { input: z.infer<typeof joinForm>; output: Answer<{ readonly task: TaskId }> }
  /** Restarts the app with the library that joined last, in this session. */
  openJoinedLibrary: { input: undefined; output: Answer<null> }
  /**
   * Makes the open library the first of a team. A system dialog asks whether to use this address. No saves are received
   * until the task has ended.
   */
  startTeamImport: { input: z.infer<typeof teamForm>; output: Answer<{ readonly task: TaskId }> }
  /** A system dialog asks first; null if the person cancels. The task ends with a LeftTeam. */
  startTeamLeave: { input: z.infer<typeof leaveForm>; output: Answer<{ readonly task: TaskId } | null> }
  /** Tries other keys for the same bucket, and keeps them if they open the same library. */
  changeTeamKeys: { input: z.infer<typeof teamKeys>; output: Answer<null> }
}

export const teamInputs: Inputs<TeamCalls> = {
  readTeam: z.undefined(),
  lookAtTeam: z.undefined(),
  chooseTeamFolder: z.undefined(),
  startTeamJoin: joinForm,
  openJoinedLibrary: z.undefined(),
  startTeamImport: teamForm,
  startTeamLeave: leaveForm,
  changeTeamKeys: teamKeys,
}
