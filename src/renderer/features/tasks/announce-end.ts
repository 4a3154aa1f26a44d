import type { i18n } from 'i18next'

import { endedQuietly, taskName } from '../../../contract/ipc/tasks.ts'
import type { Task, TaskKind } from '../../../contract/ipc/tasks.ts'
import type { ScreenName } from '../../navigation/view.ts'
import { addFailure } from '../../ui/toasts.tsx'
import type { Toasts } from '../../ui/toasts.tsx'

/** What ends within this time ends before the eyes of the person who started it. */
const quickMs = 1000

const lastedMs = ({ startedAt, endedAt }: Task): number => Date.parse(endedAt ?? startedAt) - Date.parse(startedAt)

/**
 * Where each kind of work shows what came of it. What belongs to a dialog is shown wherever that was opened: nobody
 * leaves a dialog within a second.
 */
const shownOn: Readonly<Record<TaskKind, ScreenName | 'dialog'>> = {
  exportPlan: 'dialog',
  export: 'dialog',
  replay: 'dialog',
  libraryCheck: 'health',
  backup: 'health',
  restore: 'health',
  collect: 'health',
  prune: 'settings',
  erase: 'settings',
  materialDelete: 'dialog',
  fontUsage: 'fonts',
}

/** Whether a person who looks at this screen has seen a task begin and end. */
export function isSeen(task: Task, screen: ScreenName): boolean {
  const place = shownOn[task.kind]
  return lastedMs(task) <= quickMs && (place === 'dialog' || place === screen)
}

/** Says that a task has ended, where nobody looks at the drawer; what was cancelled or seen is known already. */
export function announceEnd(task: Task, screen: ScreenName, texts: i18n, toasts: Toasts, open: () => void): void {
  if (task.end.kind === 'cancelled' || task.end.kind === 'running') return
  if (isSeen(task, screen) || endedQuietly(task)) return
  const t = texts.getFixedT(texts.language, 'tasks')
  const name = t(`names.${taskName(task)}`)
  if (task.end.kind === 'failed')
    addFailure(toasts, { title: t('failed', { task: name }), action: { label: t('title'), run: open } })
  else toasts.add({ title: t('finished', { task: name }), actionProps: { children: t('title'), onClick: open } })
}
