import type { MarkState } from '../../log/read-log.ts'
import type { RebuildCause } from '../../records/library-opening.ts'

// What is done when a library is opened: tables from what was found to the next step. The first row that fits decides. After
// each step, everything is found again, so an opening that was killed goes on with the same rows.

/** The source for rebuilding the index. */
export type RebuildSource = 'log' | 'index'

/** `damaged`: damage was found, and no source was chosen. `replacing`: counts only if the process ends before it deletes the request. */
export type Request = RebuildSource | 'damaged' | 'replacing'

/** What was found of a library in a folder. */
export interface Findings {
  readonly log: 'there' | 'missing'
  /** `own`, `other_library`: sound as far as its schema shows. */
  readonly index: 'own' | 'other_library' | 'other_schema' | 'damaged' | 'absent'
  /** Where the log has the last entry of a sound index; null without one. */
  readonly indexInLog: MarkState | null
  /** The newest checkpoint, compared with the index; `after_gap`: the log lacks entries between them. */
  readonly checkpoint: 'none' | 'up_to_index' | 'after_index' | 'after_gap'
  /** `foreign`: of another library. */
  readonly local: 'unknown' | 'fits' | 'foreign'
  /** Whether the name of the library is known; without a log, that of its index counts. */
  readonly name: 'known' | 'unknown'
  /** Whether the folder has anything else of a library. */
  readonly files: 'none' | 'some'
  /** The log is a copy: the bucket of a team has all of it. */
  readonly isCopy: boolean
  /** The source of a rebuild for which this process has to care. */
  readonly asked: RebuildSource | null
  /** What asks for the rebuild: a person by this opening, damage that this opening met, or a file in the folder. */
  readonly by: 'person' | 'damage' | 'file' | null
  /** What the file in the folder asks for. */
  readonly request: Request | null
  /** Another process has the library open and receives saves for it. */
  readonly isServed: boolean
  /** The log that the index was just rebuilt from lacks entries. */
  readonly isLogFaulty: boolean
}

export type Step =
  /** Takes the newest checkpoint for the missing index. */
  | 'index_from_checkpoint'
  /** Sets the log aside, and begins a new one with the index. */
  | 'log_from_index'
  /** Undoes changes of line ends by other programs. */
  | 'restore_line_ends'
  | 'create_log'
  | 'refuse_without_log_and_index'
  | 'find_name'
  /** Begins a new copy of the log of a team. */
  | 'renew_copy'
  | 'refuse_without_log'
  /** Notes in the folder that the index has to be rebuilt, in case the process ends before. */
  | 'request_rebuild'
  | 'prepare_local'
  | 'rebuild_index'
  | 'renew_faulty_copy'
  | 'replace_local'
  | 'open'

/** The values that a row demands: one, or one of several. */
type When<Found> = { readonly [Name in keyof Found]?: Found[Name] | readonly Found[Name][] }
type Rows<Found, Result> = readonly (readonly [when: When<Found>, result: Result])[]

const fits = <Found extends object>(found: Found, when: When<Found>): boolean =>
  Object.entries(when).every(([name, wanted]) => [wanted].flat().includes(found[name as keyof Found]))

const firstOf = <Found extends object, Result>(rows: Rows<Found, Result>, found: Found): Result | null =>
  rows.find(([when]) => fits(found, when))?.[1] ?? null

const sound = ['own', 'other_library'] as const
const unusable = ['absent', 'damaged', 'other_schema'] as const
const astray = ['differs', 'ahead', 'behind'] as const

const causes: Rows<Findings, RebuildCause | null> = [
  [{ log: 'missing' }, null],
  [{ by: 'damage' }, 'damaged'],
  [{ asked: 'index' }, 'new_log'],
  // Other processes would keep using the old index, so a requested rebuild is theirs.
  [{ request: ['log', 'index', 'damaged', 'replacing'], isServed: true }, null],
  [{ request: 'damaged' }, 'damaged'],
  [{ request: ['log', 'index', 'replacing'] }, 'asked'],
  [{ index: 'absent' }, 'missing'],
  [{ index: 'damaged' }, 'damaged'],
  [{ index: 'other_schema' }, 'other_schema'],
  [{ index: 'other_library' }, 'other_library'],
  [{ indexInLog: 'behind' }, 'behind_log'],
  // What a copy lacks is fetched; and where index and log differ, a person decides.
  [{ isCopy: false, indexInLog: ['holds', 'ahead'], checkpoint: 'after_gap' }, 'behind_checkpoint'],
]

/** Why the index has to be rebuilt from the log; null if it stays. */
export const causeToRebuild = (found: Findings): RebuildCause | null => firstOf(causes, found)

const steps: Rows<Findings & { readonly isRebuildDue: boolean }, Step> = [
  [{ log: 'missing', index: unusable, checkpoint: ['after_index', 'after_gap'] }, 'index_from_checkpoint'],
  [{ log: 'missing', index: sound, checkpoint: ['after_index', 'after_gap'], isCopy: false }, 'index_from_checkpoint'],
  [{ asked: 'index' }, 'log_from_index'],
  [{ asked: ['log', 'index'] }, 'restore_line_ends'],
  [{ log: 'missing', index: 'absent', files: 'none' }, 'create_log'],
  [{ log: 'missing', index: unusable }, 'refuse_without_log_and_index'],
  [{ log: 'there', name: 'unknown' }, 'find_name'],
  [{ isCopy: true, index: sound, indexInLog: astray }, 'renew_copy'],
  [{ log: 'missing', by: ['person', 'damage'] }, 'refuse_without_log'],
  [{ by: ['person', 'damage'] }, 'request_rebuild'],
  [{ asked: 'index' }, 'request_rebuild'],
  [{ local: 'unknown' }, 'prepare_local'],
  [{ isRebuildDue: true }, 'rebuild_index'],
  [{ isCopy: true, isLogFaulty: true }, 'renew_faulty_copy'],
  [{ isCopy: true, index: sound, indexInLog: astray }, 'renew_faulty_copy'],
  [{ local: 'foreign' }, 'replace_local'],
]

/** The next step of opening a library. No step is taken twice. */
export const nextStep = (found: Findings, done: readonly Step[]): Step =>
  firstOf(
    steps.filter(([, step]) => !done.includes(step)),
    { ...found, isRebuildDue: causeToRebuild(found) !== null },
  ) ?? 'open'

/** An index that was just built from the log, to replace the one in the folder. */
export interface BuiltIndex {
  readonly cause: RebuildCause
  readonly isCopy: boolean
  /** Which part of the log it was built from: all of it, or what follows a checkpoint. `up_to_index`: up to the one in the folder. */
  readonly from: 'first_entry' | 'up_to_index' | 'after_index'
  /** The entries that it lacks. */
  readonly lacks: 'none' | 'some' | 'before_log'
  /** Something else that has what the built index lacks. */
  readonly base: 'unknown' | 'none' | 'found'
}

export type AfterBuilding =
  /** The one in the folder stays. */
  | 'keep_index'
  | 'look_for_base'
  /** It is built again, from what has more. */
  | 'build_from_base'
  /** It is built again, up to the first entry that the log lacks. */
  | 'build_up_to_loss'
  | 'take'

const built: Rows<BuiltIndex, AfterBuilding> = [
  // Without the checkpoint before the log, only the index in the folder may have the earlier entries, so a person decides.
  [{ cause: 'behind_log', from: 'first_entry' }, 'keep_index'],
  // A person who requests a rebuild in a member wants the state of the bucket. Only the checkpoint before the log is not
  // fetched for that.
  [{ base: 'unknown', isCopy: false }, 'look_for_base'],
  [{ base: 'unknown', lacks: 'before_log' }, 'look_for_base'],
  [{ base: 'unknown', cause: 'asked', lacks: 'some' }, 'build_up_to_loss'],
  [{ base: 'unknown', cause: 'asked' }, 'take'],
  [{ base: 'unknown' }, 'look_for_base'],
  [{ base: 'found' }, 'build_from_base'],
  // No checkpoint after the index is usable.
  [{ cause: 'behind_checkpoint', from: ['first_entry', 'up_to_index'] }, 'keep_index'],
  [{ isCopy: true, lacks: ['some', 'before_log'] }, 'build_up_to_loss'],
]

/** What is done with an index that was built. */
export const afterBuilding = (index: BuiltIndex): AfterBuilding => firstOf(built, index) ?? 'take'

/** How opening a library has failed. */
export interface FailedOpening {
  /** `damage`: of a database, which shows only in use. `unwritable`: but files may be readable. */
  readonly fault: 'damage' | 'unwritable' | 'other'
  /** A rebuild was asked for. */
  readonly isAsked: boolean
  readonly isServed: boolean
}

export type AfterFailure = 'rebuild' | 'let_owner_rebuild' | 'open_to_read' | 'fail'

const failed: Rows<FailedOpening, AfterFailure> = [
  [{ isAsked: true }, 'fail'],
  [{ fault: 'damage', isServed: false }, 'rebuild'],
  [{ fault: 'damage', isServed: true }, 'let_owner_rebuild'],
  [{ fault: 'unwritable' }, 'open_to_read'],
]

/** What is tried, once, after opening has failed. */
export const afterFailure = (failure: FailedOpening): AfterFailure => firstOf(failed, failure) ?? 'fail'
