import type { SiteSummary, TaskKind } from '@galley/library/records'
import { ListChecks, RotateCw } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import type { ChosenPath } from '../../../ipc/call.ts'
import type { Bridge } from '../../../ipc/calls.ts'
import { onChange } from '../../bridge/on-change.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { useFormats } from '../../i18n/formats.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import { useNow } from '../../ui/now.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { addFailure, useToasts } from '../../ui/toasts.tsx'
import words from '../../ui/words.module.css'
import { BackupLine } from './backup-line.tsx'
import styles from './health.module.css'
import { LibraryLine } from './library-line.tsx'
import { CheckLine, DiskLine, KeychainLine, RuntimeLine, SkippedLine, UpdateLine } from './library-lines.tsx'
import { ShowsAllContext } from './line.tsx'
import type { HealthHandlers } from './line.tsx'
import { EncryptionLine, ListenerLine, PauseLine, ReachLine, SleepLine } from './listener-lines.tsx'
import { SecretLine, SiteLines } from './site-lines.tsx'
import { useHealth } from './store.ts'
import { TeamLine } from './team-line.tsx'

interface Props {
  /** The current site, if any. */
  readonly site: SiteSummary | null
  readonly handlers: HealthHandlers
}

/** Tasks that change this screen, wherever they were started. */
const maintenanceTasks: ReadonlySet<TaskKind> = new Set(['libraryCheck', 'backup', 'restore', 'collect', 'prune'])

/** Calls `refresh` after every change that affects the library's health; returns a function that stops it. */
function watchHealth(bridge: Bridge, refresh: () => void): () => void {
  const stops = [
    onChange(bridge, ['rules', 'sites', 'callbacks'], refresh),
    bridge.on('taskChanged', ({ kind, end }) => {
      if (maintenanceTasks.has(kind) && end.kind !== 'running') refresh()
    }),
    bridge.on('settings', refresh),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Asks for a backup and a target folder, each chosen in a system dialog. */
function RestoreDialog() {
  const { t } = useTranslation(['health', 'ui'])
  const { restoring, chooseForRestore, cancelRestore, restore } = useHealth()
  if (restoring === null) return null
  const { backup, folder, isSubmitted } = restoring
  const choice = (what: 'backup' | 'folder', chosen: ChosenPath | null) => (
    <Group title={t(`restore.${what}`)} text={t(`restore.${what}Text`)}>
      <Bar>
        <p className={chosen === null ? words.meta : words.code}>{chosen?.path ?? t('restore.notChosen')}</p>
        <Button
          aria-label={t(`restore.${what}Choose`)}
          look={chosen === null && (what === 'backup' || backup !== null) ? 'primary' : 'plain'}
          onClick={() => void chooseForRestore(what)}
        >
          {t('restore.choose')}
        </Button>
      </Bar>
      {isSubmitted && chosen === null && (
        <p role="alert" className={words.problem}>
          {t(`restore.${what}Missing`)}
        </p>
      )}
    </Group>
  )
  return (
    <Dialog title={t('restore.title')} onClose={cancelRestore}>
      <DialogForm
        onSubmit={() => void restore()}
        actions={
          <>
            <Button onClick={cancelRestore}>{t('ui:cancel')}</Button>
            <Button look={backup !== null && folder !== null ? 'primary' : 'plain'} type="submit">
              {t('restore.start')}
            </Button>
          </>
        }
      >
        <p>{t('restore.text')}</p>
        {choice('backup', backup)}
        {choice('folder', folder)}
      </DialogForm>
    </Dialog>
  )
}

/** Everything saves depend on, one line each with its fix. What needs nobody is shown on request. */
export function HealthChecks({ site, handlers }: Props) {
  const { t } = useTranslation('health')
  const bridge = useBridge()
  const state = useHealth()
  const nowMs = useNow()
  const { view, load, showsAll, reach, testReach, takeSaves, forgetSleep, forgetSkipped } = state
  useEffect(() => {
    void load()
    return watchHealth(bridge, () => void load())
  }, [load, bridge])
  useFailedActionToasts()
  const lineProps = { state, nowMs, handlers }
  // Without a site there is no log beside them.
  const isAll = showsAll || site === null
  return (
    <section
      aria-label={t('title')}
      className={styles.checks}
      data-all={isAll || undefined}
      data-alone={site === null || undefined}
    >
      {view.kind === 'loading' && <Skeleton rows={isAll ? 6 : 1} />}
      {view.kind === 'failed' && <Failed text={t('failed')} onRetry={() => void load()} />}
      {view.kind === 'ready' && (
        <ShowsAllContext value={isAll}>
          <ul className={styles.lines}>
            <LibraryLine health={view.items} {...lineProps} />
            <TeamLine health={view.items} handlers={handlers} />
            <SkippedLine health={view.items} onForget={() => void forgetSkipped()} />
            <ListenerLine health={view.items} {...lineProps} />
            {view.items.sitesWithProblems.map((each) => (
              <SiteLines key={each.id} site={each} handlers={handlers} />
            ))}
            {view.items.pauses.map((pause) => (
              <PauseLine key={pause.site?.id ?? ''} pause={pause} takeSaves={takeSaves} />
            ))}
            {site !== null && (
              <ReachLine site={site} reach={reach} testReach={testReach} editSite={handlers.editSite} />
            )}
            {site !== null && <SecretLine site={site} />}
            {site !== null && <EncryptionLine site={site} editSite={handlers.editSite} />}
            <SleepLine gaps={view.items.sleepGaps} nowMs={nowMs} onForget={() => void forgetSleep()} />
            <KeychainLine health={view.items} {...lineProps} />
            <DiskLine health={view.items} {...lineProps} />
            <CheckLine health={view.items} {...lineProps} />
            <BackupLine health={view.items} {...lineProps} />
            <UpdateLine {...lineProps} />
            <RuntimeLine health={view.items} handlers={handlers} />
          </ul>
          <p className={styles.fine}>
            <Status tone="success" word={t('allFine')} />
          </p>
        </ShowsAllContext>
      )}
      <RestoreDialog />
    </section>
  )
}

/** Shows the checks that need nobody, or hides them; reads all of them again. */
export function HealthActions() {
  const { t } = useTranslation('health')
  const formats = useFormats()
  const { readAt, recheck, showsAll, showAll } = useHealth()
  const hasSite = useNavigation(currentSite) !== null
  return (
    <>
      <span role="status" className={words.meta}>
        {readAt !== null && t('readAt', { time: formats.clock(readAt) })}
      </span>
      {hasSite && (
        <Button look="quiet" icon={ListChecks} aria-expanded={showsAll} onClick={() => showAll(!showsAll)}>
          {t(showsAll ? 'hideFine' : 'showAll')}
        </Button>
      )}
      <Button look="quiet" icon={RotateCw} onClick={() => void recheck()}>
        {t('lookAgain')}
      </Button>
    </>
  )
}

/** Shows failed actions in toasts. */
function useFailedActionToasts(): void {
  const toasts = useToasts()
  const { t } = useTranslation('health')
  const problemText = useProblemText()
  const failedAction = useHealth((state) => state.failedAction)
  const clearNotDone = useHealth((state) => state.clearFailedAction)
  useEffect(() => {
    if (failedAction === null) return
    clearNotDone()
    const { what, problem } = failedAction
    addFailure(toasts, { title: t(`notDone.${what}`), description: problemText(problem), problem })
  }, [failedAction, clearNotDone, toasts, t, problemText])
}
