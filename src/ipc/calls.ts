import type { AppSettings, CallbackRow, Change, ListenerState, Task, TeamView } from '@galley/library/records'

import type { BridgeOf, HandlersOf } from './call.ts'
import { callbackCalls } from './callbacks.ts'
import { clipboardCalls } from './clipboard.ts'
import { commentCalls } from './comments.ts'
import type { DeskEvents } from './desk.ts'
import { deskCalls } from './desk.ts'
import { developerCalls } from './developer.ts'
import { diagnosticsCalls } from './diagnostics.ts'
import { editorCalls } from './editor.ts'
import { exportCalls } from './exports.ts'
import { fieldCalls } from './fields.ts'
import { fontCalls } from './fonts.ts'
import { healthCalls } from './health.ts'
import { materialCalls } from './materials.ts'
import { filmCalls, mediaCalls } from './media.ts'
import { pageCalls } from './pages.ts'
import type { PreviewViewEvents } from './preview-view.ts'
import { previewViewCalls } from './preview-view.ts'
import { publishingCalls } from './publishing.ts'
import { reviewQueueCalls } from './review-queue.ts'
import { reviewWindowCalls } from './review.ts'
import { ruleCalls } from './rules.ts'
import type { TryItState } from './settings.ts'
import { settingsCalls } from './settings.ts'
import type { ShellEvents } from './shell.ts'
import { shellCalls } from './shell.ts'
import { siteCalls } from './sites.ts'
import { taskCalls } from './tasks.ts'
import { teamCalls } from './team.ts'
import { themeCalls } from './themes.ts'
import type { UpdateState } from './updates.ts'
import { updateCalls } from './updates.ts'
import { versionFileCalls } from './version-files.ts'
import { versionCalls } from './versions.ts'
import { webhookCalls } from './webhook.ts'

export type { CallProblem, Change, Subject } from '@galley/library/records'

/** Everything the window can ask main for, one file a subject: a name, one argument, one answer. */
export const calls = {
  ...siteCalls,
  ...materialCalls,
  ...versionCalls,
  ...versionFileCalls,
  ...mediaCalls,
  ...filmCalls,
  ...editorCalls,
  ...callbackCalls,
  ...ruleCalls,
  ...webhookCalls,
  ...fieldCalls,
  ...fontCalls,
  ...exportCalls,
  ...pageCalls,
  ...publishingCalls,
  ...themeCalls,
  ...healthCalls,
  ...reviewQueueCalls,
  ...reviewWindowCalls,
  ...deskCalls,
  ...previewViewCalls,
  ...settingsCalls,
  ...updateCalls,
  ...shellCalls,
  ...taskCalls,
  ...clipboardCalls,
  ...commentCalls,
  ...developerCalls,
  ...diagnosticsCalls,
  ...teamCalls,
}
export type Calls = typeof calls

/** The events that main sends to every window. `changed` only says that something changed; the feature reads again. */
export interface Events extends ShellEvents, PreviewViewEvents, DeskEvents {
  listenerState: ListenerState
  /** Rows of these subjects may differ from what was last read; within 200 ms of the commit. */
  changed: Change
  /** A callback was answered by this process' listener: for live regions, notices and the tray. */
  callbackArrived: CallbackRow
  taskChanged: Task
  settings: AppSettings
  tryIt: TryItState
  updates: UpdateState
  /** The state of this member of a team; null: not a team library. */
  team: TeamView | null
}

export type Handlers = HandlersOf<Calls>
export type Bridge = BridgeOf<Calls, Events>
