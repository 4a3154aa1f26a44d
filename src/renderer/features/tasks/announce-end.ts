import { taskName } from '@galley/library/records'
import type { Task, TaskKind } from '@galley/library/records'
import type { i18n } from 'i18next'

import { endedQuietly } from '../../../ipc/tasks.ts'
import type { ScreenName } from '../../navigation/view.ts'
import { addFailure } from '../../ui/toasts.tsx'
import type { Toasts } from '../../ui/toasts.tsx'

/** A task this short ends before its user looks away. */
const quickMs = 1000

const durationMs = ({ startedAt, endedAt }: Task): number => Date.parse(endedAt ?? startedAt) - Date.parse(startedAt)

/**
 * Where each task shows its result; null: nowhere but in the task drawer. Dialogs count as visible on any screen, since none is
 * closed within a second.
 */
const shownOn: Readonly<Record<TaskKind, ScreenName | 'dialog' | null>> = {
  exportPlan: 'dialog',
  export: 'dialog',
  publishPlan: 'dialog',
  publish: 'dialog',
  replay: 'dialog',
  republish: null,
  conformance: 'settings',
  libraryCheck: 'delivery',
  backup: 'delivery',
  restore: 'delivery',
  collect: 'delivery',
  prune: 'settings',
  erase: 'settings',
  materialDelete: 'dialog',
  fontUsage: 'fonts',
  teamJoin: 'settings',
  teamImport: 'settings',
  teamLeave: 'settings',
}

/** Whether someone on this screen saw the task begin and end. */
export function isSeen(task: Task, screen: ScreenName): boolean {
  const place = shownOn[task.kind]
  return durationMs(task) <= quickMs && (place === 'dialog' || place === screen)
}

/** Reports a finished task in a toast, unless it was cancelled or its end was visible. */
export function announceEnd(task: Task, screen: ScreenName, texts: i18n, toasts: Toasts, open: () => void): void {
  if (task.end.kind === 'cancelled' || task.end.kind === 'running') return
  if (isSeen(task, screen) || endedQuietly(task)) return
  const t = texts.getFixedT(texts.language, 'tasks')
  const name = t(`names.${taskName(task)}`)
  if (task.end.kind === 'failed')
    addFailure(toasts, {
      title: t('failed', { task: name }),
      problem: task.end.problem,
      action: { label: t('title'), run: open },
    })
  else toasts.add({ title: t('finished', { task: name }), actionProps: { children: t('title'), onClick: open } })
}
