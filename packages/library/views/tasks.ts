import type { TaskId, TaskProgress } from '@galley/wire'

import type { CollectReport, EraseReport, PruneReport } from '../records/care-reports.ts'
import type { ReplayComparison } from './callbacks.ts'
import type { ExportPlan, ExportReport } from './exports.ts'
import type { FontUsage } from './fonts.ts'
import type { KeptBackup, LibraryReport, RestoredLibrary } from './health.ts'
import type { CallProblem, ProblemFacts } from './problem.ts'
import type { PublishPlan, PublishReport } from './publishing.ts'
import type { Republished } from './sites.ts'
import type { JoinedTeam, LeftTeam } from './team.ts'

/** The result of each kind of task. */
export interface TaskResults {
  exportPlan: ExportPlan
  export: ExportReport
  publishPlan: PublishPlan
  publish: PublishReport
  libraryCheck: LibraryReport
  backup: KeptBackup
  restore: RestoredLibrary
  collect: CollectReport
  prune: PruneReport
  materialDelete: PruneReport
  erase: EraseReport
  replay: readonly ReplayComparison[]
  republish: Republished
  /** The number of cases by result. */
  conformance: Readonly<Record<'passed' | 'failed' | 'unchecked' | 'skipped', number>>
  fontUsage: FontUsage
  teamJoin: JoinedTeam
  teamImport: null
  teamLeave: LeftTeam
}

export type TaskKind = keyof TaskResults

interface TaskOf<Kind extends TaskKind> {
  readonly id: TaskId
  readonly kind: Kind
  /** Values for the name of the task, such as `site` and `target`. */
  readonly facts: ProblemFacts
  readonly startedAt: string
  readonly endedAt: string | null
  readonly progress: TaskProgress | null
  readonly end:
    | { readonly kind: 'running'; readonly isCancelling: boolean }
    | { readonly kind: 'done'; readonly result: TaskResults[Kind] }
    | { readonly kind: 'failed'; readonly problem: CallProblem }
    /** Cancelling is always safe. The text depends on the kind of task. */
    | { readonly kind: 'cancelled' }
}

/** Work that takes longer than a second. */
export type Task = { [Kind in TaskKind]: TaskOf<Kind> }[TaskKind]

/** The name of a task: some kinds have a variant that only checks and one that repairs. */
export type TaskName =
  | TaskKind
  | 'collectDryRun'
  | 'pruneDryRun'
  | 'materialDeleteDryRun'
  | 'eraseDryRun'
  | 'replayDryRun'
  | 'repair'
  | 'automaticBackup'
  | 'rollback'

export function taskName({ kind, facts }: Pick<Task, 'kind' | 'facts'>): TaskName {
  if (kind === 'libraryCheck') return facts['isRepair'] === true ? 'repair' : kind
  if (kind === 'backup') return facts['isAutomatic'] === true ? 'automaticBackup' : kind
  if (kind === 'publish') return facts['isRollback'] === true ? 'rollback' : kind
  const canBeDry =
    kind === 'collect' || kind === 'prune' || kind === 'materialDelete' || kind === 'erase' || kind === 'replay'
  return canBeDry && facts['isDryRun'] === true ? `${kind}DryRun` : kind
}

/** Tasks that work step by step: if one ends early, completed steps are not undone. */
export type StepwiseTask = Extract<
  TaskName,
  'repair' | 'collect' | 'prune' | 'materialDelete' | 'erase' | 'replay' | 'republish' | 'conformance'
>

const stepwiseTasks: ReadonlySet<TaskName> = new Set([
  'repair',
  'collect',
  'prune',
  'materialDelete',
  'erase',
  'replay',
  'republish',
  'conformance',
])

export const isStepwise = (name: TaskName): name is StepwiseTask => stepwiseTasks.has(name)
