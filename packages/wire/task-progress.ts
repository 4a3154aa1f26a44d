/** The progress of a task. `total` is null if unknown: then no percentage is shown. */
export interface TaskProgress {
  /** The current step as a stable code such as `reading`, `rewriting`, `writing`, `copying`, `verifying`, `deleting`. */
  readonly step: TaskStep
  readonly done: number
  readonly total: number | null
  readonly unit: 'files' | 'bytes' | 'versions' | 'callbacks' | 'pages' | 'entries' | 'cases'
}

export type TaskStep =
  | 'reading'
  | 'rewriting'
  | 'comparing'
  | 'writing'
  | 'copying'
  | 'verifying'
  | 'deleting'
  | 'replaying'
