import { listenFault, storageFault } from '@galley/library/records'
import type { ListenerState } from '@galley/library/records'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

import { useFaultText } from '../../domain/fault-text.ts'
import { listenerTones } from '../../domain/listener-tone.ts'
import { Means } from '../../domain/means.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Status } from '../../ui/status.tsx'
import styles from './listener-parts.module.css'
import { usePauses } from './pauses-store.ts'
import { useListener } from './store.ts'

/** The listener's state in the title bar: dot, label and address. Not shown as healthy while saves are paused. */
export function ListenerPill() {
  const { t } = useTranslation('listener')
  const state = useListener(({ state }) => state)
  const reach = usePauses((pauses) => pauses.reach)
  const isRefusing = reach !== 'none' && (state?.kind === 'listening' || state?.kind === 'elsewhere')
  const address = state === null ? null : addressOf(state, t)
  return (
    <div role="status" aria-label={t('label')} className={styles.pill} title={hintOf(state, t) ?? address ?? undefined}>
      {storageFault(state) !== null ? (
        <Status tone="danger" word={t('broken')} />
      ) : isRefusing ? (
        <Status tone="warning" word={t(`refusing.${state.kind}.${reach}`)} />
      ) : (
        <Status
          tone={state === null ? 'neutral' : listenerTones[state.kind]}
          word={t(`state.${state === null ? 'unknown' : state.kind}`)}
        />
      )}
      {address !== null && <span className={styles.address}>{address}</span>}
    </div>
  )
}

interface BannerProps {
  /** Null on the Health screen, which has the same details. */
  readonly onShowHealth: (() => void) | null
}

/** Shown while no save can be stored: why, what that means, and a retry if possible. */
export function ListenerBanner({ onShowHealth }: BannerProps) {
  const { t } = useTranslation(['listener', 'ui'])
  const { state, start } = useListener()
  const broken = useFaultText()(state)
  if (broken !== null) {
    return onShowHealth === null ? null : (
      <Banner tone="danger" text={broken}>
        <Button onClick={onShowHealth}>{t('toHealth')}</Button>
        <Means code="callback:storage_failed" hasWords />
      </Banner>
    )
  }
  if (state?.kind !== 'failed' && state?.kind !== 'stopped') return null
  if (state.kind === 'failed') {
    const fault = listenFault(state.code)
    const isOfLibrary = fault === 'library' || fault === 'mismatch'
    if (isOfLibrary && onShowHealth === null) return null
    return (
      <Banner tone="danger" text={t(`failed.${fault}`, { port: state.port ?? '' })}>
        {isOfLibrary && onShowHealth !== null ? (
          <Button onClick={onShowHealth}>{t('toHealth')}</Button>
        ) : (
          <Button onClick={() => void start()}>{t('ui:retry')}</Button>
        )}
        <Means code="listener:failed" hasWords />
      </Banner>
    )
  }
  return (
    <Banner tone="warning" text={t('stoppedBanner')}>
      <Button onClick={() => void start()}>{t('start')}</Button>
      <Means code="listener:stopped" hasWords />
    </Banner>
  )
}

function addressOf(state: ListenerState, t: TFunction<'listener'>): string | null {
  if (state.kind === 'listening') return state.url
  if (state.kind === 'elsewhere') {
    const process = t('process', { id: state.processId })
    return state.url === null ? process : `${process} · ${state.url}`
  }
  return null
}

const hintOf = (state: ListenerState | null, t: TFunction<'listener'>): string | undefined =>
  state?.kind === 'elsewhere' ? t('elsewhereHint', { id: state.processId }) : undefined
