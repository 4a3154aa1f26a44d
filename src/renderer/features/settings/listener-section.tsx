import type { AppSettings, ListenerState } from '@galley/library/records'
import { appSettings } from '@galley/library/records'
import { fail, ok } from '@galley/wire'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

import { useForm } from '../../stores/form.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Fields } from '../../ui/field.tsx'
import { FormGroup } from '../../ui/group.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import type { SettingsState } from './store.ts'
import { wholeNumber } from './whole-number.ts'

interface Props extends Pick<SettingsState, 'change'> {
  readonly settings: AppSettings
  readonly listener: ListenerState | null
  readonly onRestart: () => Promise<void>
}

const ports = { from: 1, to: 65_535 } as const

function stateText(state: ListenerState, t: TFunction<['settings', 'health', 'listener']>): string {
  switch (state.kind) {
    case 'listening':
      return t('listener.now', { address: state.url })
    case 'starting':
    case 'stopping':
      return t(`health:listener.${state.kind}`)
    case 'elsewhere':
      return t('listener:elsewhereHint', { id: state.processId })
    case 'failed':
    case 'stopped':
      return t('listener.off')
  }
}

/** The listener's address and port. */
export function ListenerSection({ settings, change, listener, onRestart }: Props) {
  const { t } = useTranslation(['settings', 'health', 'listener'])
  const { host, port } = settings.listener
  const form = useForm({
    about: 'listener',
    kept: { host, port: port === null ? '' : String(port) },
    isWhole: true,
    isQuiet: true,
    saved: t('saved'),
    read: (draft) => {
      const wantedPort = wholeNumber(draft.port, ports.from, ports.to)
      const given = appSettings.shape.listener.shape.host.safeParse(draft.host.trim())
      return given.success && wantedPort !== 'wrong'
        ? ok({ host: given.data, port: wantedPort })
        : fail({
            ...(!given.success && { host: t('listener.hostWrong') }),
            ...(wantedPort === 'wrong' && { port: t('wrongNumber', ports) }),
          })
    },
    save: (next) => change({ listener: next }),
  })
  return (
    <>
      {form.isSaved && (
        <Banner tone="info" text={t('listener.restartNeeded')}>
          <Button onClick={() => void onRestart().then(form.forget)}>{t('listener.restart')}</Button>
        </Banner>
      )}
      <FormGroup text={t('listener.text')} submit={t('save')} form={form}>
        {listener !== null && <p className={words.meta}>{stateText(listener, t)}</p>}
        <Fields>
          <TextField label={t('listener.host')} hint={t('listener.hostHint')} {...form.bind('host')} />
          <TextField
            label={t('listener.port')}
            hint={t('listener.portHint')}
            inputMode="numeric"
            {...form.bind('port')}
          />
        </Fields>
      </FormGroup>
    </>
  )
}
