import type { AppSettings } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { Group } from '../../ui/group.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { SettingsState } from './store.ts'
import { UpdatesGroup } from './updates-group.tsx'

interface Props extends Pick<SettingsState, 'change'> {
  readonly settings: AppSettings
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
