import type { AppSettingsStore, ChangeFeed, IndexReads, Tasks } from '@galley/library'
import type { CallbackRecord, CommandId, Task } from '@galley/library/records'
import { taskName } from '@galley/library/records'
import type { TaskId } from '@galley/wire'
import { Notification } from 'electron'

import { endedQuietly } from '../../ipc/tasks.ts'
import type { Push } from '../electron/serve.ts'
import type { ShellWords } from './language.ts'
import { createNotices } from './notices.ts'

/** How many clickable notifications to keep; older ones only close. */
const notificationsMax = 50

/**
 * A notification that is garbage collected ignores clicks, although the system still lists it. These are kept even
 * when a library is reopened.
 */
const held: Notification[] = []

interface Ports {
  readonly index: IndexReads
  readonly settings: Pick<AppSettingsStore, 'read'>
  readonly changes: Pick<ChangeFeed, 'onCallback'>
  readonly tasks: Pick<Tasks, 'onChange'>
  readonly words: ShellWords
  readonly push: Push
  /** Shows the window and runs a command in it. */
  readonly run: (command: CommandId) => void
  readonly showWindow: () => void
  /** Whether the window is focused, so that no notification is needed. */
  readonly isWatched: () => boolean
}

/** System notifications: about saves and finished tasks while the window is not focused, and from `notify`. */
export function createNotifications(ports: Ports) {
  const { index, settings, words, push, run, showWindow, isWatched } = ports
  const notify = (text: { readonly title: string; readonly body?: string }, onClick: () => void): void => {
    const notification = new Notification({ ...text, silent: true })
    notification.on('click', onClick)
    notification.show()
    held.push(notification)
    held.splice(0, held.length - notificationsMax)
  }

  const nameOf = ({ site, materialId, kind }: CallbackRecord): string => {
    if (kind === 'site_fonts_updated') return words.t()('app:sections.fonts')
    const title = materialId === null ? '' : index.materials.find(site, materialId)?.title
    return title || (materialId ?? '')
  }
  const notices = createNotices({
    t: words.system,
    preferences: () => settings.read().notifications,
    isWatched,
    nameOf,
    show: ({ title, body, callback }) =>
      notify({ title, body }, () => {
        showWindow()
        push('show', { item: { site: callback.site, callbackId: callback.id }, missing: null })
      }),
  })

  const announced = new Set<TaskId>()
  const notifyOfTask = (task: Task): void => {
    const { kind } = task.end
    const isNews = (kind === 'done' || kind === 'failed') && !endedQuietly(task) && !announced.has(task.id)
    if (!isNews || isWatched() || !settings.read().notifications.tasks) return
    announced.add(task.id)
    const t = words.t()
    const name = t(`tasks:names.${taskName(task)}`)
    const title = kind === 'done' ? t('tasks:finished', { task: name }) : t('tasks:failed', { task: name })
    notify({ title }, () => run('tasks.open'))
  }

  const stops = [
    ports.tasks.onChange(notifyOfTask),
    ports.changes.onCallback((id) => {
      const callback = index.callbacks.find(id)
      if (callback !== null) notices.arrived(callback)
    }),
    notices.stop,
  ]
  return {
    notify,
    stop(): void {
      for (const stop of stops) stop()
    },
  }
}
