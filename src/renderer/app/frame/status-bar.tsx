import { ListTodo, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { LastArrival } from '../../features/arrivals/last-arrival.tsx'
import { isRunning } from '../../features/tasks/store.ts'
import { useOnline } from '../../ui/online.ts'
import type { Stores } from '../stores.ts'
import styles from './status-bar.module.css'

/** Where the library is, whether there is a network, and the last arrival. */
export function StatusBar({ stores }: { readonly stores: Stores }) {
  const { t } = useTranslation('app')
  const isOnline = useOnline()
  const { bridge } = stores
  const [folder, setFolder] = useState('')
  useEffect(() => {
    // Without an answer the bar just stays empty: the folder is a convenience here.
    void bridge.call('libraryFolder', undefined).then(setFolder, () => setFolder(''))
  }, [bridge])
  return (
    <footer className={styles.bar}>
      <span className={styles.folder} title={folder}>
        {folder === '' ? '' : t('libraryFolder', { folder })}
      </span>
      <span className={styles.end}>
        <LastArrival useArrivals={stores.useArrivals} useAnnouncements={stores.useAnnouncements} />
        <TasksButton stores={stores} />
        {!isOnline && (
          <span className={styles.offline} role="status" title={t('offlineHint')}>
            <WifiOff size={12} aria-hidden />
            {t('offline')}
          </span>
        )}
      </span>
    </footer>
  )
}

/** Opens the task drawer; while something runs, it says how much. */
function TasksButton({ stores }: { readonly stores: Stores }) {
  const { t } = useTranslation('tasks')
  const running = stores.useTasks(({ tasks }) => tasks.filter(isRunning).length)
  const isOpen = stores.useLayers(({ shown }) => shown === 'tasks')
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      className={running > 0 ? `${styles.tasks} ${styles.busy}` : styles.tasks}
      onClick={() => stores.useLayers.getState().open('tasks')}
    >
      <ListTodo size={12} aria-hidden />
      {running > 0 ? t('running', { count: running }) : t('button')}
    </button>
  )
}
