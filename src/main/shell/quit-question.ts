import type { Task, TaskName } from '@galley/library/records'
import { taskName } from '@galley/library/records'
import type { TFunction } from 'i18next'

import type { DialogText } from '../ipc/desktop.ts'

/** Tasks whose loss a person would notice. Tasks that only fill the window start again when they are needed. */
const askedAbout = [
  'publish',
  'rollback',
  'export',
  'backup',
  'restore',
  'libraryCheck',
  'repair',
  'collect',
  'prune',
  'materialDelete',
  'erase',
  'replay',
  'republish',
  'conformance',
  'teamJoin',
  'teamImport',
  'teamLeave',
] as const

type AskedAbout = (typeof askedAbout)[number]

const isAskedAbout = (name: TaskName): name is AskedAbout => askedAbout.some((other) => other === name)

/** The tasks that quitting would cancel, and the consequences, in the language of `t`; null if there are none. */
export function quitQuestion(
  tasks: readonly Task[],
  t: TFunction<readonly ['system', 'tasks']>,
  locale: string,
): DialogText | null {
  const running = tasks.filter(({ end }) => end.kind === 'running' && !end.isCancelling).map(taskName)
  const names = askedAbout.filter((name) => running.filter(isAskedAbout).includes(name))
  if (names.length === 0) return null
  const list = new Intl.ListFormat(locale, { type: 'conjunction' })
  return {
    message: t('system:quitting.title', { tasks: list.format(names.map((name) => t(`tasks:names.${name}`))) }),
    detail: [...names.map((name) => t(`system:quitting.${name}`)), t('system:quitting.safe')].join('\n\n'),
    buttons: [t('system:quitting.now'), t('system:quitting.stay')],
  }
}
