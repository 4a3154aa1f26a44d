import type { AppSettings, CallbackRow, ListenerState, Task, TeamView } from '@galley/library/records'

import type { CallbackCalls } from './callbacks.ts'
import { callbackInputs } from './callbacks.ts'
import type { ClipboardCalls } from './clipboard.ts'
import { clipboardInputs } from './clipboard.ts'
import type { DiagnosticsCalls } from './diagnostics.ts'
import { diagnosticsInputs } from './diagnostics.ts'
import type { EditorCalls } from './editor.ts'
import { editorInputs } from './editor.ts'
import type { ExportCalls } from './exports.ts'
import { exportInputs } from './exports.ts'
import type { FontCalls } from './fonts.ts'
import { fontInputs } from './fonts.ts'
import type { HealthCalls } from './health.ts'
import { healthInputs } from './health.ts'
import type { MaterialCalls } from './materials.ts'
import { materialInputs } from './materials.ts'
import type { PageCalls } from './pages.ts'
import { pageInputs } from './pages.ts'
import type { PreviewViewCalls, PreviewViewEvents } from './preview-view.ts'
import { previewViewInputs } from './preview-view.ts'
import type { Inputs } from './problem.ts'
import type { PublishingCalls } from './publishing.ts'
import { publishingInputs } from './publishing.ts'
import type { ReviewWindowCalls } from './review.ts'
import { reviewWindowInputs } from './review.ts'
import type { RuleCalls } from './rules.ts'
import { ruleInputs } from './rules.ts'
import type { SettingsCalls, TryItState } from './settings.ts'
import { settingsInputs } from './settings.ts'
import type { ShellEvents } from './shell.ts'
import type { SiteCalls } from './sites.ts'
import { siteInputs } from './sites.ts'
import type { TaskCalls } from './tasks.ts'
import { taskInputs } from './tasks.ts'
import type { TeamCalls } from './team.ts'
import { teamInputs } from './team.ts'
import type { ThemeCalls } from './themes.ts'
import { themeInputs } from './themes.ts'
import type { VersionCalls } from './versions.ts'
import { versionInputs } from './versions.ts'

export type { CallProblem } from '@galley/library/records'

/** Everything the window can ask main for, one file a subject: a name, one argument, one answer. */
export interface Calls
  extends
    SiteCalls,
    MaterialCalls,
    VersionCalls,
    EditorCalls,
    CallbackCalls,
    RuleCalls,
    FontCalls,
    ExportCalls,
    PageCalls,
    PublishingCalls,
    ThemeCalls,
    HealthCalls,
    ReviewWindowCalls,
    PreviewViewCalls,
    SettingsCalls,
    ClipboardCalls,
    DiagnosticsCalls,
    TeamCalls,
    TaskCalls {}

/** The subjects that a push can report as changed. */
export type Subject = 'sites' | 'materials' | 'snapshots' | 'callbacks' | 'exports' | 'rules' | 'targets'

/** The events that main sends to every window. `changed` only says that something changed; the feature reads again. */
export interface Events extends ShellEvents, PreviewViewEvents {
  listenerState: ListenerState
  /** Rows of these subjects may differ from what was last read; within 200 ms of the commit. */
  changed: { readonly subjects: readonly Subject[] }
  /** A callback was answered by this process' listener: for live regions, notices and the tray. */
  callbackArrived: CallbackRow
  taskChanged: Task
  settings: AppSettings
  tryIt: TryItState
  /** The state of this member of a team; null: not a team library. */
  team: TeamView | null
}

/** How main checks each argument; forgetting a call does not compile. */
export const callInputs: Inputs<Calls> = {
  ...siteInputs,
  ...materialInputs,
  ...versionInputs,
  ...editorInputs,
  ...callbackInputs,
  ...ruleInputs,
  ...fontInputs,
  ...exportInputs,
  ...pageInputs,
  ...publishingInputs,
  ...themeInputs,
  ...healthInputs,
  ...reviewWindowInputs,
  ...previewViewInputs,
  ...settingsInputs,
  ...taskInputs,
  ...clipboardInputs,
  ...diagnosticsInputs,
  ...teamInputs,
}

/** One function for each call of a table. */
export type HandlersOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends { input: infer Input; output: infer Output }
    ? (input: Input) => Output | Promise<Output>
    : never
}
export type Handlers = HandlersOf<Calls>

type Member<Table, Name extends keyof Table, Key extends 'input' | 'output'> =
  Table[Name] extends Record<Key, infer Value> ? Value : never

/** The value of `window.galley`, for the calls and pushes of one kind of window. */
export interface BridgeOf<Table, Pushes> {
  call<Name extends keyof Table>(
    name: Name,
    input: Member<Table, Name, 'input'>,
  ): Promise<Member<Table, Name, 'output'>>
  /** Calls back on every push until the returned function is called. */
  on<Name extends keyof Pushes>(name: Name, listener: (event: Pushes[Name]) => void): () => void
}
export type Bridge = BridgeOf<Calls, Events>
