import { ListTodo, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useBridge } from '../../bridge/use-bridge.ts'
import { LastArrival } from '../../features/arrivals/last-arrival.tsx'
import { isRunning, useTasks } from '../../features/tasks/store.ts'
import { TeamMark } from '../../features/team/team-mark.tsx'
import { useNavigation } from '../../navigation/navigation.ts'
import { BarButton } from '../../ui/bar-button.tsx'
import { useOnline } from '../../ui/online.ts'
import { useLayers } from '../state/layers.ts'
import styles from './status-bar.module.css'

/** Library folder, the latest callback, the team, tasks and network state. */
export function StatusBar() {
  const { t } = useTranslation('app')
  const isOnline = useOnline()
  const bridge = useBridge()
  const go = useNavigation((state) => state.go)
  const goToSection = useNavigation((state) => state.goToSection)
  const [folder, setFolder] = useState('')
  useEffect(() => {
    // The folder is only a convenience here: on failure leave it empty.
    void bridge.call('libraryFolder', undefined).then(setFolder, () => setFolder(''))
  }, [bridge])
  return (
    <footer className={styles.bar}>
      <span className={styles.folder} title={folder}>
        {folder === '' ? '' : t('libraryFolder', { folder })}
      </span>
      <span className={styles.end}>
        <LastArrival />
        <TeamMark
          onOpen={() => goToSection('delivery')}
          onDecide={() => go({ screen: 'settings', section: 'library' })}
        />
        <TasksButton />
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

/** Opens the task drawer and shows the number of running tasks. */
function TasksButton() {
  const { t } = useTranslation('tasks')
  const running = useTasks(({ tasks }) => tasks.filter(isRunning).length)
  const isOpen = useLayers(({ shown }) => shown === 'tasks')
  const open = useLayers((state) => state.open)
  return (
    <BarButton
      icon={ListTodo}
      tone={running > 0 ? 'busy' : 'neutral'}
      aria-expanded={isOpen}
      onClick={() => open('tasks')}
    >
      {running > 0 ? t('running', { count: running }) : t('button')}
    </BarButton>
  )
}
