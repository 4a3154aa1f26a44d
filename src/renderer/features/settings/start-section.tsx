import type { AppSettings } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import type { Offer } from '../../../ipc/updates.ts'
import { useUpdates, useUpdateText } from '../../domain/updates.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import { useNow } from '../../ui/now.ts'
import { Switch } from '../../ui/switch.tsx'
import words from '../../ui/words.module.css'
import styles from './settings.module.css'
import type { SettingsState } from './store.ts'

interface Props extends Pick<SettingsState, 'change'> {
  readonly settings: AppSettings
}

interface UpdatesGroupProps extends Pick<SettingsState, 'change'> {
  readonly settings: AppSettings
}

/** Whether Galley looks for newer versions, and the one that it found. */
function UpdatesGroup({ settings, change }: UpdatesGroupProps) {
  const { t } = useTranslation('updates')
  const nowMs = useNow()
  const text = useUpdateText(nowMs)
  const { state, check } = useUpdates()
  if (state === null) return null
  const { off, offer } = state
  const isOurs = off === null || off === 'settings'
  return (
    <Group title={t('title')}>
      {isOurs && (
        <Switch
          label={t('daily')}
          hint={t('dailyHint')}
          isOn={settings.checksForUpdates}
          onChange={(checksForUpdates) => void change({ checksForUpdates })}
        />
      )}
      <p role="status" className={state.problem === null ? words.explanation : words.problem}>
        {text(state)}
      </p>
      {offer !== null && <Offered offer={offer} />}
      {isOurs && (
        <Bar>
          <Button onClick={() => void check()}>{t('checkNow')}</Button>
        </Bar>
      )}
    </Group>
  )
}

function Offered({ offer }: { readonly offer: Offer }) {
  const { t, i18n } = useTranslation('updates')
  const formats = useFormats()
  const { take, skip } = useUpdates()
  const { version, date, news, isSkipped, step } = offer
  return (
    <>
      <p className={words.explanation}>{t('news', { version, day: formats.day(date) })}</p>
      <p className={styles.news}>{i18n.language === 'ru' ? news.ru : news.en}</p>
      <Bar>
        {step === 'offered' && (
          <Button look="primary" onClick={() => void take()}>
            {t('take')}
          </Button>
        )}
        {!isSkipped && step !== 'loading' && <Button onClick={() => void skip()}>{t('skip')}</Button>}
      </Bar>
    </>
  )
}

/** When Galley runs, and its system notifications. */
export function StartSection({ settings, change }: Props) {
  const { t } = useTranslation('settings')
  const { notifications } = settings
  const notify = (changed: Partial<AppSettings['notifications']>): void =>
    void change({ notifications: { ...notifications, ...changed } })
  return (
    <>
      <Group>
        <Switch
          label={t('start.atLogin')}
          hint={t('start.atLoginHint')}
          isOn={settings.startAtLogin}
          onChange={(startAtLogin) => void change({ startAtLogin })}
        />
        <Switch
          label={t('start.keepInTray')}
          hint={t('start.keepInTrayHint')}
          isOn={settings.keepInTray}
          onChange={(keepInTray) => void change({ keepInTray })}
        />
      </Group>
      <UpdatesGroup settings={settings} change={change} />
      <Group title={t('start.editor')}>
        <Switch
          label={t('start.showsWhatIsSent')}
          hint={t('start.showsWhatIsSentHint')}
          isOn={settings.showsWhatIsSent}
          onChange={(showsWhatIsSent) => void change({ showsWhatIsSent })}
        />
      </Group>
      <Group title={t('start.notices')}>
        <Switch
          label={t('start.failures')}
          isOn={notifications.failures}
          onChange={(failures) => notify({ failures })}
        />
        <Switch label={t('start.savesName')} isOn={notifications.saves} onChange={(saves) => notify({ saves })} />
        <Switch label={t('start.tasks')} isOn={notifications.tasks} onChange={(tasks) => notify({ tasks })} />
      </Group>
    </>
  )
}
