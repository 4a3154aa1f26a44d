import type { BackupPorts, CareRun, Listening, TaskContext } from '@galley/library'
import { backupFolders } from '@galley/library'
import { fail, ok } from '@galley/wire'
import type { TFunction } from 'i18next'

import type { Handlers } from '../../../ipc/calls.ts'
import type { Desktop } from '../desktop.ts'
import type { Questions } from '../questions.ts'

type CareCalls = 'startLibraryCheck' | 'rebuildIndex' | 'startCollect' | 'startPrune' | 'startErase'

export interface LibraryCarePorts extends BackupPorts {
  readonly listener: Listening
}

/** The dependencies of library care besides the library. */
export interface LibraryCareEdges {
  readonly desktop: Desktop
  readonly questions: Questions
  /** Asks a person to confirm erasing an address. */
  readonly confirmErase: (email: string) => Promise<boolean>
  /** System texts in the language of the window. */
  readonly words: () => TFunction<'system'>
  /** Called when care has changed what lists show. */
  readonly careEnded: () => void
}

/** Calls that check, repair and prune the library. Deletions require confirmation in a system dialog. */
export function libraryCareHandlers(
  ports: LibraryCarePorts,
  { desktop, questions, confirmErase, words, careEnded }: LibraryCareEdges,
): Pick<Handlers, CareCalls> {
  const { care, tasks, now } = ports
  return {
    startLibraryCheck: ({ isRepair }) =>
      ok({
        task: tasks.start('libraryCheck', { isRepair }, async (context) => {
          const done = await care.check({ repair: isRepair }, runOf(context))
          // Even after a failure, because something may have been repaired. The same applies to prune and erase.
          if (isRepair) careEnded()
          return done.ok ? ok({ ...done.value, at: now().toISOString() }) : done
        }),
      }),
    async rebuildIndex({ from }) {
      const owner = ports.listener.owner()
      if (owner !== null && owner.processId !== process.pid) {
        return fail({ code: 'served_elsewhere', state: 'rebuild' })
      }
      const t = words()
      const buttons = [t(`rebuilding.${from}.way`), t('rebuilding.cancel')] as const
      const question = { message: t(`rebuilding.${from}.title`), detail: t(`rebuilding.${from}.text`), buttons }
      if (!(await desktop.ask(question))) return ok(null)
      ports.library.requestRebuild(from)
      desktop.relaunch()
      return ok(null)
    },
    startCollect: ({ isDryRun }) =>
      ok({
        task: tasks.start(
          'collect',
          { isDryRun },
          async (context) => await care.collect({ dryRun: isDryRun, emptyLostAndFound: false }, runOf(context)),
        ),
      }),
    async startPrune({ site, retention, isDryRun }) {
      if (!isDryRun && !(await questions.mayPrune(retention))) return ok(null)
      const task = tasks.start('prune', { site, isDryRun }, async (context) => {
        const done = await care.prune({ site, retention, dryRun: isDryRun }, runOf(context))
        if (!isDryRun) careEnded()
        return done
      })
      return ok({ task })
    },
    async startErase({ email, isDryRun }) {
      if (!isDryRun && !(await confirmErase(email))) return ok(null)
      // The address is not a fact of the task, because task lists show facts.
      const task = tasks.start('erase', { isDryRun }, async (context) => {
        const options = { email, dryRun: isDryRun, backupFolders: backupFolders(ports) }
        const done = await care.erase(options, runOf(context))
        if (!isDryRun) careEnded()
        return done
      })
      return ok({ task })
    },
  }
}

const runOf = ({ signal, progress }: TaskContext): CareRun => ({ signal, onProgress: progress })
