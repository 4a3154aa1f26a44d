import { listenFault } from '@galley/library/records'
import type { ListenerState } from '@galley/library/records'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

import { listenerTones } from '../../domain/listener-tone.ts'
import { ReachHelp } from '../../domain/reach-help.tsx'
import { Button } from '../../ui/button.tsx'
import { Status } from '../../ui/status.tsx'
import { Checks } from './checks.tsx'
import styles from './first-run.module.css'
import { Outcome } from './outcome.tsx'
import type { FirstRunProps } from './props.ts'
import { hasFailed, useFirstRun } from './store.ts'

const names = ['listener', 'callback_url', 'public_read', 'font_cors'] as const
function stateText(state: ListenerState, t: TFunction<['start', 'listener']>): string {
  switch (state.kind) {
    case 'listening':
      return t('listener.listening', { address: state.url })
    case 'failed':
      return t(`listener:failed.${listenFault(state.code)}`, { port: state.port ?? '' })
    case 'starting':
    case 'elsewhere':
    case 'stopping':
    case 'stopped':
      return t(`listener.${state.kind}`)
  }
}

/** Whether the listener runs, and whether callbacks reach it. */
export function ListenerStep(props: FirstRunProps) {
  const { site, listener, onAddSite, onEditSite, onStartListener, onListenerSettings } = props
  const { t } = useTranslation(['start', 'listener', 'sites'])
  const { siteChecks, testSite } = useFirstRun()
  const isTesting = siteChecks.kind === 'testing'
  const isOff = listener?.kind === 'failed' || listener?.kind === 'stopped'
  return (
    <>
      <Outcome>
        {listener !== null && <Status tone={listenerTones[listener.kind]} word={stateText(listener, t)} />}
      </Outcome>
      {isOff && (
        <div className={styles.buttons}>
          <Button onClick={onStartListener}>{t('listener.start')}</Button>
          <Button onClick={onListenerSettings}>{t('listener.settings')}</Button>
        </div>
      )}
      {site === null ? (
        <>
          <p>{t('listener.needsSite')}</p>
          <Button onClick={onAddSite}>{t('site.add')}</Button>
        </>
      ) : (
        <>
          <Checks tested={siteChecks} names={names} />
          {hasFailed(siteChecks, ['callback_url', 'public_read']) && (
            <ReachHelp {...site} port={listener?.kind === 'listening' ? new URL(listener.url).port : '8787'} />
          )}
          <div className={styles.buttons}>
            <Button aria-disabled={isTesting} onClick={() => void testSite(site.id)}>
              {isTesting ? t('listener.testing') : t('listener.test')}
            </Button>
            {hasFailed(siteChecks, names) && <Button onClick={() => onEditSite(site)}>{t('sites:edit')}</Button>}
          </div>
        </>
      )}
    </>
  )
}
