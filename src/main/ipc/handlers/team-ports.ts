import type { Index, Listening, OpenedLibrary, Remembered, Tasks, TeamKeyStore, Vault } from '@galley/library'
import type { Background, Network } from '@galley/platform'
import type { Member, TeamJobs, TeamKeys, TeamLocation, TeamStateFeed } from '@galley/team'
import type { Result } from '@galley/wire'

import type { ChosenPaths } from '../chosen-paths.ts'
import type { Desktop } from '../desktop.ts'
import type { Questions } from '../questions.ts'

/** A folder whose join was cut off: which bucket it was joining, and its name as a member. */
export interface UnfinishedFolder extends TeamLocation {
  readonly folder: string
  readonly member: string
}

export interface TeamPorts {
  readonly folder: string
  readonly library: OpenedLibrary
  readonly index: Index
  readonly vault: Vault
  readonly network: Network
  readonly team: Member | null
  readonly teamState: TeamStateFeed
  readonly tasks: Tasks
  readonly background: Background<TeamJobs>
  readonly listener: Pick<Listening, 'stop' | 'state'>
  readonly now: () => Date
  /** Stores the keys of a member's bucket; null removes them. */
  readonly keepTeamKeys: (member: string, keys: TeamKeys | null) => Promise<Result<null, unknown>>
  /** The keys of members in another folder. */
  readonly teamKeysIn: (folder: string) => TeamKeyStore
}

export interface TeamEdges {
  readonly desktop: Desktop
  readonly chosen: ChosenPaths
  readonly questions: Questions
  readonly startListener: () => Promise<unknown>
  /** Stores the library for the next start of the app. */
  readonly rememberLibrary: (folder: string) => Promise<Remembered>
  /** Reopens the library, because its membership has changed. */
  readonly reopen: () => void
  /** The folder that the app was started with, if its join was cut off; the open library is an empty one then. */
  readonly unfinished: UnfinishedFolder | null
  /** Called when lists may show other values. */
  readonly changed: () => void
}

/** Whether a person agrees to use a bucket for this; the same answer is not asked for twice. */
export type MayUseTeam = Questions['mayUseTeam']
