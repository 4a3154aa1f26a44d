import type { ChangeFeed, Tasks } from '@galley/library'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { Handlers, Subject } from '../../../ipc/calls.ts'
import type { clipboardCalls } from '../../../ipc/clipboard.ts'
import type { deskCalls } from '../../../ipc/desk.ts'
import type { filmCalls } from '../../../ipc/media.ts'
import type { previewViewCalls } from '../../../ipc/preview-view.ts'
import type { reviewWindowCalls } from '../../../ipc/review.ts'
import type { shellCalls } from '../../../ipc/shell.ts'
import type { taskCalls } from '../../../ipc/tasks.ts'
import type { updateCalls } from '../../../ipc/updates.ts'
import type { versionFileCalls } from '../../../ipc/version-files.ts'
import type { TryIt } from '../../try-it/try-it.ts'
import { createChosenPaths } from '../chosen-paths.ts'
import type { Desktop } from '../desktop.ts'
import { createQuestions } from '../questions.ts'
import type { ThemePictures } from '../theme-pictures.ts'
import type { CallbackPorts } from './callbacks.ts'
import { callbackHandlers } from './callbacks.ts'
import type { CommentPorts } from './comments.ts'
import { commentHandlers } from './comments.ts'
import type { DeveloperEdges, DeveloperPorts } from './developer.ts'
import { developerHandlers } from './developer.ts'
import type { DiagnosticsEdges, DiagnosticsPorts } from './diagnostics.ts'
import { diagnosticsHandlers } from './diagnostics.ts'
import type { EditorPorts } from './editor.ts'
import { editorHandlers } from './editor.ts'
import type { ExportPorts, ExportTaskEdges } from './export-tasks.ts'
import { exportHandlers } from './exports.ts'
import type { FieldPorts } from './fields.ts'
import { fieldHandlers } from './fields.ts'
import type { FontPorts } from './fonts.ts'
import { fontHandlers } from './fonts.ts'
import type { HealthEdges, HealthPorts } from './health.ts'
import { healthHandlers } from './health.ts'
import type { MaterialPorts } from './materials.ts'
import { materialHandlers } from './materials.ts'
import { mediaHandlers } from './media.ts'
import type { PagePorts } from './pages.ts'
import { pageHandlers } from './pages.ts'
import type { PreviewPorts } from './previews.ts'
import { previewHandlers } from './previews.ts'
import type { PublishPorts } from './publish-tasks.ts'
import { publishTaskHandlers } from './publish-tasks.ts'
import type { ReviewQueuePorts } from './review-queue.ts'
import { reviewQueueHandlers } from './review-queue.ts'
import type { RulePorts } from './rules.ts'
import { ruleHandlers } from './rules.ts'
import type { AboutEdges, SettingsPorts } from './settings.ts'
import { settingsHandlers } from './settings.ts'
import type { SitePorts } from './sites.ts'
import { siteHandlers } from './sites.ts'
import { targetHandlers } from './targets.ts'
import { withTeamAnswers, withTeamTasks } from './team-answers.ts'
import type { TeamEdges, TeamPorts } from './team-ports.ts'
import { teamHandlers } from './team.ts'
import { themeHandlers } from './themes.ts'
import type { VersionPorts } from './versions.ts'
import { versionHandlers } from './versions.ts'
import type { WebhookHandlerPorts } from './webhook.ts'
import { webhookHandlers } from './webhook.ts'

interface TaskPorts {
  readonly tasks: Tasks
}

/** Calls about the tasks of all windows and processes. */
const taskHandlers = ({ tasks }: TaskPorts): HandlersOf<typeof taskCalls> => ({
  listTasks: () => tasks.list(),
  cancelTask({ id }) {
    tasks.cancel(id)
    return null
  },
  dismissTask({ id }) {
    tasks.dismiss(id)
    return null
  },
})

const clipboardHandlers = ({ copyText }: Pick<Desktop, 'copyText'>): HandlersOf<typeof clipboardCalls> => ({
  async copyText({ text }) {
    await copyText(text)
    return null
  },
})

/** The dependencies of the handlers in addition to the library. */
export interface HandlerEdges
  extends
    Omit<HealthEdges, 'careEnded' | 'questions' | 'chosen'>,
    Pick<DeveloperEdges, 'emulators'>,
    DiagnosticsEdges,
    AboutEdges,
    Pick<TeamEdges, 'reopen' | 'unfinished'>,
    Pick<ExportTaskEdges, 'themesFolder'> {
  readonly tryIt: TryIt
  readonly pictures: ThemePictures
  /** Called with the subjects that a call of the window has changed, so that every window reads them again. */
  readonly changed: (subjects: readonly Subject[]) => void
}

/** The parts of a library that the handlers use. */
export type HandlerPorts = CallbackPorts &
  CommentPorts &
  DeveloperPorts &
  DiagnosticsPorts &
  EditorPorts &
  ExportPorts &
  FieldPorts &
  FontPorts &
  HealthPorts &
  MaterialPorts &
  PreviewPorts &
  PublishPorts &
  PagePorts &
  ReviewQueuePorts &
  RulePorts &
  SettingsPorts &
  SitePorts &
  TaskPorts &
  TeamPorts &
  VersionPorts &
  WebhookHandlerPorts & { readonly changes: Pick<ChangeFeed, 'changed'> }

/** Every call of the window but those that open windows. */
export function libraryHandlers(
  given: HandlerPorts,
  edges: HandlerEdges,
): Omit<
  Handlers,
  | keyof typeof reviewWindowCalls
  | keyof typeof deskCalls
  | keyof typeof filmCalls
  | keyof typeof previewViewCalls
  | keyof typeof updateCalls
  | keyof typeof versionFileCalls
  | keyof typeof shellCalls
> {
  const { desktop, themesFolder } = edges
  const ports: HandlerPorts = { ...given, tasks: withTeamTasks(given.tasks, given.team) }
  const chosen = createChosenPaths()
  const questions = createQuestions(desktop.ask, edges.words, ports.confirmations)
  const published = (): void => edges.changed(['targets'])
  /** For changes of what a site publishes: its preview is updated too. */
  const edited =
    (...subjects: readonly Subject[]) =>
    (): void =>
      ports.changes.changed({ subjects })
  const careEnded = (): void => edges.changed(['materials', 'callbacks', 'rules'])
  const handlers = {
    ...siteHandlers(ports, {
      desktop,
      chosen,
      questions,
      tryIt: edges.tryIt,
      changed: () => {
        void edges.emulators.stopRemoved()
        edges.changed(['sites', 'materials'])
      },
    }),
    ...developerHandlers(ports, { ...edges, questions }),
    ...materialHandlers(ports, { questions, careEnded, changed: edited('materials', 'callbacks', 'rules') }),
    ...fieldHandlers(ports, ports.changes.changed),
    ...versionHandlers(ports),
    ...mediaHandlers(ports),
    ...editorHandlers(ports, desktop, questions, () => edges.changed(['materials']), edges.tryIt),
    ...callbackHandlers(ports, desktop, () => edges.changed(['callbacks', 'materials', 'sites'])),
    ...commentHandlers(ports, desktop, ports.changes.changed),
    ...clipboardHandlers(desktop),
    ...diagnosticsHandlers(ports, edges),
    ...reviewQueueHandlers(ports, ports.changes.changed),
    ...ruleHandlers(ports, () => edges.changed(['rules', 'sites', 'materials'])),
    ...webhookHandlers(ports, { questions, changed: () => edges.changed(['rules', 'sites', 'callbacks']) }),
    ...fontHandlers(ports),
    ...exportHandlers(ports, { desktop, chosen, themesFolder, changed: () => edges.changed(['exports']) }),
    ...pageHandlers(ports, questions, edited('materials', 'exports')),
    ...targetHandlers(ports, { desktop, chosen, questions, changed: published }),
    ...publishTaskHandlers(ports, { themesFolder, changed: published }),
    ...previewHandlers(ports, { desktop, themesFolder, changed: published }),
    ...themeHandlers(ports, {
      desktop,
      themesFolder,
      pictures: edges.pictures,
      changed: edited('materials', 'exports'),
    }),
    ...healthHandlers(ports, { ...edges, chosen, questions, careEnded }),
    ...settingsHandlers(ports, desktop, questions, edges.tryIt, edges),
    ...teamHandlers(ports, { ...edges, chosen, questions, changed: () => ports.changes.changed() }),
    ...taskHandlers(ports),
  }
  return withTeamAnswers(handlers, ports.team)
}
