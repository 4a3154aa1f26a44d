import { listenFault, plainAddresses, storageFault } from '@galley/library/records'
import type { ListenerState, ListeningGap, PausedSaves, SiteSummary } from '@galley/library/records'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

import { useCheckText } from '../../domain/check-text.ts'
import { useFaultText } from '../../domain/fault-text.ts'
import { useGapText } from '../../domain/gap-text.ts'
import { listenerTones } from '../../domain/listener-tone.ts'
import { useFormats } from '../../i18n/formats.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Button } from '../../ui/button.tsx'
import type { Tone } from '../../ui/status.tsx'
import { Line } from './line.tsx'
import type { LineProps } from './line.tsx'
import type { HealthState, Reach } from './store.ts'

/** Results that say nothing about the callback URL. */
const untestable: ReadonlySet<string> = new Set(['callback_needs_secret', 'callback_needs_credentials'])

/** Whether callbacks can arrive at all. */
export function ListenerLine({ health, state: { startListener, stopListener, restart }, handlers }: LineProps) {
  const { t } = useTranslation(['health', 'listener'])
  const { listener, opening } = health
  // If the library cannot store saves, only a restart helps; another address or a retry does not.
  const isBlocked = opening.state !== 'whole'
  const hasFailed = listener.kind === 'failed' && !isBlocked
  const isOff = hasFailed || (listener.kind === 'stopped' && !isBlocked)
  const fault = storageFault(listener)
  const faultText = useFaultText()
  return (
    <Line
      name={t('listener.name')}
      means={fault === null ? `listener:${listener.kind}` : 'callback:storage_failed'}
      tone={fault !== null ? 'danger' : listenerTones[listener.kind]}
      word={fault !== null ? t('listener:broken') : t(`listener:state.${listener.kind}`)}
      text={
        isBlocked && listener.kind === 'failed'
          ? t('listener.blocked')
          : (faultText(listener) ?? listenerText(listener, t))
      }
      actions={
        <>
          {hasFailed && <Button onClick={handlers.toListenerSettings}>{t('listener.settings')}</Button>}
          {isOff && (
            <Button look="primary" onClick={() => void startListener()}>
              {t('listener.start')}
            </Button>
          )}
          {listener.kind === 'listening' && <Button onClick={() => void stopListener()}>{t('listener.stop')}</Button>}
          {fault?.until === 'restart' && (
            <Button look="primary" onClick={() => void restart()}>
              {t('library.restart')}
            </Button>
          )}
        </>
      }
    />
  )
}

function listenerText(state: ListenerState, t: TFunction<['health', 'listener']>): string {
  switch (state.kind) {
    case 'listening':
      return t('listener.listening', { address: state.url })
    case 'elsewhere':
      return t('listener.elsewhere', { id: state.processId })
    case 'failed':
      return t(`listener:failed.${listenFault(state.code)}`, { port: state.port ?? '' })
    case 'starting':
    case 'stopping':
    case 'stopped':
      return t(`listener.${state.kind}`)
  }
}

interface PauseProps extends Pick<HealthState, 'takeSaves'> {
  readonly pause: PausedSaves
}

interface EncryptionProps {
  readonly site: SiteSummary
  readonly editSite: () => void
}

/** Warns about plain http on a production site. */
export function EncryptionLine({ site, editSite }: EncryptionProps) {
  const { t } = useTranslation('health')
  const hosts = [...new Set(plainAddresses(site).map(({ url }) => new URL(url).host))].join(', ')
  if (hosts === '') return null
  const options = { site: site.name, hosts }
  return (
    <Line
      name={t('encryption.name')}
      means="health:encryption"
      tone={site.allowHttp ? 'neutral' : 'warning'}
      word={t('encryption.missing')}
      text={site.allowHttp ? t('encryption.allowedText', options) : t('encryption.text', options)}
      actions={<Button onClick={editSite}>{t('reach.editSite')}</Button>}
    />
  )
}

/** A pause of saves, while it lasts. */
export function PauseLine({ pause: { site, reason, since }, takeSaves }: PauseProps) {
  const { t } = useTranslation(['health', 'settings'])
  const formats = useFormats()
  const when = formats.dayAndMinute(since)
  return (
    <Line
      name={site === null ? t('pause.everywhere') : t('pause.ofSite', { site: site.name })}
      means="callback:refused"
      tone="warning"
      word={t('pause.refused')}
      text={reason === '' ? t('settings:rules.paused', { when }) : t('settings:rules.pausedBecause', { when, reason })}
      actions={
        <Button look="primary" onClick={() => void takeSaves(site?.id ?? null)}>
          {t('settings:rules.resume')}
        </Button>
      }
    />
  )
}

interface ReachProps extends Pick<HealthState, 'reach' | 'testReach'> {
  readonly site: { readonly id: string; readonly name: string }
  readonly editSite: () => void
}

/** Whether the service can reach this computer: a probe through the callback URL. */
export function ReachLine({ site, reach, testReach, editSite }: ReachProps) {
  const { t } = useTranslation('health')
  const problemText = useProblemText()
  const checkText = useCheckText()
  const now: Reach = reach.kind !== 'untested' && reach.site === site.id ? reach : { kind: 'untested' }
  const found = now.kind === 'done' ? now.checks.find(({ name }) => name === 'callback_url') : undefined
  const text = (): string => {
    if (found !== undefined) return checkText(found)
    if (now.kind === 'failed') return problemText(now.problem)
    return now.kind === 'done' ? t('reach.unknown') : t('reach.hint', { site: site.name })
  }
  const state = (): readonly [Tone, 'testing' | 'untested' | 'reached' | 'unreachable'] => {
    if (now.kind === 'testing') return ['busy', 'testing']
    if (now.kind === 'untested') return ['neutral', 'untested']
    if (found === undefined || untestable.has(found.code)) return ['warning', 'untested']
    return found.ok ? ['success', 'reached'] : ['danger', 'unreachable']
  }
  const [tone, word] = state()
  const test = (): void => {
    if (now.kind !== 'testing') void testReach(site.id)
  }
  return (
    <Line
      name={t('reach.name')}
      means={`check:${found?.code ?? 'callback_unreachable'}`}
      tone={tone}
      word={t(`reach.${word}`)}
      text={text()}
      actions={
        <>
          {found?.ok === false && (
            <Button look="primary" onClick={editSite}>
              {t('reach.editSite')}
            </Button>
          )}
          <Button aria-disabled={now.kind === 'testing'} onClick={test}>
            {t('reach.test')}
          </Button>
        </>
      }
    />
  )
}

const weekMs = 7 * 24 * 3_600_000

interface SleepProps {
  readonly gaps: readonly ListeningGap[]
  readonly nowMs: number
  readonly onForget: () => void
}

/** Times when the computer slept or Galley was closed, and nothing was received; hidden if there was none within a week. */
export function SleepLine({ gaps, nowMs, onForget }: SleepProps) {
  const { t } = useTranslation('health')
  const gapText = useGapText()
  const recent = gaps.filter(({ to }) => nowMs - Date.parse(to) < weekMs)
  const last = recent.at(-1)
  if (last === undefined) return null
  return (
    <Line
      name={t('sleep.name')}
      means="health:sleep"
      tone="warning"
      word={t(`sleep.${last.kind}`)}
      text={gapText(last)}
      notes={recent.length > 1 ? [t('sleep.more', { count: recent.length - 1 })] : []}
      actions={<Button onClick={onForget}>{t('sleep.forget')}</Button>}
    />
  )
}
