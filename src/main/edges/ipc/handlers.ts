import type { Handlers, Subject } from '../../../contract/ipc/calls.ts'
import type { ReviewWindowCalls } from '../../../contract/ipc/review.ts'
import type { Galley } from '../../galley.ts'
import type { TryIt } from '../../use-cases/try-it/try-it.ts'
import { createChosenPaths } from './chosen-paths.ts'
import { createQuestions } from './questions.ts'
import { callbackHandlers } from './handlers/callbacks.ts'
import { clipboardHandlers } from './handlers/clipboard.ts'
import type { DiagnosticsEdges } from './handlers/diagnostics.ts'
import { diagnosticsHandlers } from './handlers/diagnostics.ts'
import { editorHandlers } from './handlers/editor.ts'
import { exportHandlers } from './handlers/exports.ts'
import { fontHandlers } from './handlers/fonts.ts'
import type { HealthEdges } from './handlers/health.ts'
import { healthHandlers } from './handlers/health.ts'
import { materialHandlers } from './handlers/materials.ts'
import { ruleHandlers } from './handlers/rules.ts'
import type { AboutEdges } from './handlers/settings.ts'
import { settingsHandlers } from './handlers/settings.ts'
import { siteHandlers } from './handlers/sites.ts'
import { taskHandlers } from './handlers/tasks.ts'
import { versionHandlers } from './handlers/versions.ts'

/** What the handlers are given beside the library. */
export interface HandlerEdges
  extends Omit<HealthEdges, 'cared' | 'questions' | 'chosen'>, DiagnosticsEdges, AboutEdges {
  readonly tryIt: TryIt
  /** Where the export themes lie that come with Galley. */
  readonly themesFolder: string
  /** Told what a call of the window has changed, so that every window reads it again. */
  readonly changed: (subjects: readonly Subject[]) => void
}

/** Every call of the window but those that open windows. */
export function libraryHandlers(galley: Galley, edges: HandlerEdges): Omit<Handlers, keyof ReviewWindowCalls> {
  const { desktop } = edges
  const chosen = createChosenPaths()
  const questions = createQuestions(desktop.ask, edges.words, galley.confirmations)
  const cared = (): void => edges.changed(['materials', 'callbacks', 'rules'])
  return {
    ...siteHandlers(galley, {
      ...{ desktop, chosen, questions, tryIt: edges.tryIt },
      changed: () => edges.changed(['sites', 'materials']),
    }),
    ...materialHandlers(galley, { questions, cared, changed: () => edges.changed(['materials']) }),
    ...versionHandlers(galley, () => edges.changed(['materials'])),
    ...editorHandlers(galley, desktop, questions, () => edges.changed(['materials']), edges.tryIt),
    ...callbackHandlers(galley, desktop, () => edges.changed(['callbacks', 'materials'])),
    ...clipboardHandlers(desktop),
    ...diagnosticsHandlers(galley, edges),
    ...ruleHandlers(galley, () => edges.changed(['rules', 'sites', 'materials'])),
    ...fontHandlers(galley),
    ...exportHandlers(galley, desktop, chosen, edges.themesFolder, () => edges.changed(['exports'])),
    ...healthHandlers(galley, { ...edges, chosen, questions, cared }),
    ...settingsHandlers(galley, desktop, questions, edges.tryIt, edges),
    ...taskHandlers(galley),
  }
}
