import type { TaskResults } from '@galley/library/records'
import { X } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { useOpenExportFolder } from '../../domain/open-export-folder.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { isRunning, useTasks } from './store.ts'
import styles from './task-drawer.module.css'
import { TaskLine } from './task-line.tsx'

interface Props {
  /** Opens the result of a replay of several callbacks. */
  readonly onShowReplay: (comparisons: TaskResults['replay']) => void
  readonly onClose: () => void
}

/** Running and finished tasks in the lower right corner; does not block the window. */
export function TaskDrawer({ onShowReplay, onClose }: Props) {
  const { t } = useTranslation(['tasks', 'ui'])
  const { tasks, cancel, clear } = useTasks()
  const openFolder = useOpenExportFolder()
  const drawer = useRef<HTMLElement>(null)
  const clearAll = (): void => {
    // The button disappears with the tasks; keep the focus in the drawer.
    drawer.current?.focus()
    clear()
  }
  return (
    <section ref={drawer} aria-label={t('title')} data-pane="tasks" tabIndex={-1} className={styles.drawer}>
      <div className={styles.bar}>
        <h2 className={styles.title}>{t('title')}</h2>
        {tasks.some((task) => !isRunning(task)) && (
          <Button look="quiet" onClick={clearAll}>
            {t('clear')}
          </Button>
        )}
        <Button look="quiet" icon={X} isIconOnly onClick={onClose}>
          {t('ui:close')}
        </Button>
      </div>
      {tasks.length === 0 ? (
        <Message title={t('none')} text={t('noneText')} />
      ) : (
        <ul className={styles.list}>
          {tasks.map((task) => (
            <TaskLine key={task.id} task={task} cancel={cancel} onOpenFolder={openFolder} onShowReplay={onShowReplay} />
          ))}
        </ul>
      )}
    </section>
  )
}
