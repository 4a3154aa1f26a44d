import { RotateCw } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import type { SiteSummary } from '../../../contract/domain/site.ts'
import { useFormats } from '../../i18n/formats.ts'
import type { Services } from '../../domain/services.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { useNow } from '../../ui/now.ts'
import { Pane } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BackupLine } from './backup-line.tsx'
import { CheckLine, DiskLine, KeychainLine, RedactionLine, RuntimeLine } from './library-lines.tsx'
import { LibraryLine } from './library-line.tsx'
import type { HealthWays } from './line.tsx'
import { Line } from './line.tsx'
import { EncryptionLine, ListenerLine, PauseLine, ReachLine, SleepLine } from './listener-lines.tsx'
import { useNotDoneToasts } from './not-done-toasts.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import type { createHealth } from './store.ts'
import words from '../../ui/words.module.css'
import styles from './health.module.css'

interface Props {
  readonly useHealth: ReturnType<typeof createHealth>
  /** The site that the window shows, if any. */
  readonly site: SiteSummary | null
  readonly ways: HealthWays
  /** Calls back while something happens that this screen depends on. */
  readonly watch: (look: () => void) => () => void
  readonly toasts: Services['toasts']
}

/** Everything that has to be right for saves to arrive and stay, a line each with what mends it. */
export function HealthPane({ useHealth, site, ways, watch, toasts }: Props) {
  const { t } = useTranslation('health')
  const formats = useFormats()
  const state = useHealth()
  const nowMs = useNow()
  const { view, load, lookAgain, readAt, reach, testReach, takeSaves, forgetSleep } = state
  useEffect(() => {
    void load()
    return watch(() => void load())
  }, [load, watch])
  useNotDoneToasts(useHealth, toasts)
  const shown = { state, nowMs, ways }
  return (
    <Pane
      name="list"
      title={t('title')}
      actions={
        <>
          <span role="status" className={words.meta}>
            {readAt !== null && t('readAt', { time: formats.clock(readAt) })}
          </span>
          <Button look="quiet" icon={RotateCw} onClick={() => void lookAgain()}>
            {t('lookAgain')}
          </Button>
        </>
      }
    >
      {view.kind === 'loading' && <Skeleton rows={6} />}
      {view.kind === 'failed' && <Failed text={t('failed')} onRetry={() => void load()} />}
      {view.kind === 'ready' && (
        <div className={styles.page}>
          <ul className={styles.lines}>
            <LibraryLine health={view.items} {...shown} />
            <ListenerLine health={view.items} {...shown} />
            {view.items.isStorageAtFault && (
              <Line
                name={t('saves.name')}
                tone="danger"
                word={t('saves.failed')}
                text={t('saves.text')}
                actions={<Button onClick={ways.toCallbacks}>{t('saves.show')}</Button>}
              />
            )}
            {view.items.pauses.map((pause) => (
              <PauseLine key={pause.site?.id ?? ''} pause={pause} takeSaves={takeSaves} />
            ))}
            {site !== null && <ReachLine site={site} reach={reach} testReach={testReach} editSite={ways.editSite} />}
            {site !== null && <EncryptionLine site={site} editSite={ways.editSite} />}
            <SleepLine
              gaps={view.items.sleepGaps}
              nowMs={nowMs}
              onShow={ways.toCallbacks}
              onForget={() => void forgetSleep()}
            />
            <KeychainLine health={view.items} {...shown} />
            <DiskLine health={view.items} {...shown} />
            <RedactionLine health={view.items} />
            <CheckLine health={view.items} {...shown} />
            <BackupLine health={view.items} {...shown} />
            <RuntimeLine health={view.items} ways={ways} />
          </ul>
        </div>
      )}
      <RestoreDialog useHealth={useHealth} />
    </Pane>
  )
}
