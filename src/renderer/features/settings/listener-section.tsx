import type { AppSettings, ListenerState } from '@galley/library/records'
import { appSettings } from '@galley/library/records'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { createStoreContext } from '../../context/provided.ts'
import { draftIn } from '../../stores/drafts.ts'
import type { DraftsState } from '../../stores/drafts.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Fields } from '../../ui/field.tsx'
import { FormGroup } from '../../ui/group.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import type { SettingsState } from './store.ts'
import { wholeNumber } from './whole-number.ts'

/** Form input for address and port. */
export interface ListenerDraft {
  readonly host: string
  readonly port: string
}

const [useListenerDrafts, provideListenerDrafts] =
  createStoreContext<DraftsState<ListenerDraft>>('drafts of the listener')
export { provideListenerDrafts }

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
  const kept = settings.listener
  const { draft, isTyped, setDraft, dropDraft } = draftIn(useListenerDrafts(), 'listener', {
    host: kept.host,
    port: kept.port === null ? '' : String(kept.port),
  })
  const { host, port } = draft
  const [state, setState] = useState<'editing' | 'checked' | 'saved'>('editing')
  const wantedPort = wholeNumber(port, ports.from, ports.to)
  const isHostValid = appSettings.shape.listener.shape.host.safeParse(host.trim()).success
  const submit = async (): Promise<void> => {
    setState('checked')
    if (!isHostValid || wantedPort === 'wrong') return
    if (!(await change({ listener: { host: host.trim(), port: wantedPort } }))) return
    // Text typed during the save is still unsaved.
    setState(dropDraft() ? 'saved' : 'editing')
  }
  const isJudged = state === 'checked'
  return (
    <>
      {state === 'saved' && (
        <Banner tone="info" text={t('listener.restartNeeded')}>
          <Button onClick={() => void onRestart().then(() => setState('editing'))}>{t('listener.restart')}</Button>
        </Banner>
      )}
      <FormGroup
        text={t('listener.text')}
        submit={t('save')}
        outcome={isTyped ? t('unsaved') : state === 'saved' ? t('saved') : ''}
        onSubmit={() => void submit()}
      >
        {listener !== null && <p className={words.meta}>{stateText(listener, t)}</p>}
        <Fields>
          <TextField
            label={t('listener.host')}
            hint={t('listener.hostHint')}
            error={isJudged && !isHostValid ? t('listener.hostWrong') : undefined}
            value={host}
            onChange={(value) => {
              setDraft({ ...draft, host: value })
              setState('editing')
            }}
          />
          <TextField
            label={t('listener.port')}
            hint={t('listener.portHint')}
            error={isJudged && wantedPort === 'wrong' ? t('wrongNumber', ports) : undefined}
            value={port}
            inputMode="numeric"
            onChange={(port) => {
              setDraft({ ...draft, port })
              setState('editing')
            }}
          />
        </Fields>
      </FormGroup>
    </>
  )
}
