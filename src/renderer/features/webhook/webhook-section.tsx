import { webhookEvents } from '@galley/library/records'
import type { WebhookSetting } from '@galley/library/records'
import { ok } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { ProblemBanner } from '../../domain/means.tsx'
import { causeIn } from '../../i18n/cause-text.tsx'
import { useForm } from '../../stores/form.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Fields } from '../../ui/field.tsx'
import { FormGroup, Group } from '../../ui/group.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Source } from '../../ui/source.tsx'
import { Status } from '../../ui/status.tsx'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { eventKeys } from './event-keys.ts'
import type { WebhookState } from './store.ts'
import { useWebhook } from './store.ts'
import styles from './webhook.module.css'

interface Props {
  /** The site whose webhook is shown, if any. */
  readonly siteName: string | null
  readonly onCopy: (text: string) => void
  readonly onShowMessages: () => void
}

/** The URL to which a site tells what happens, and whether this computer sends there. */
export function WebhookSection({ siteName, onCopy, onShowMessages }: Props) {
  const { t } = useTranslation('webhook')
  const state = useWebhook()
  const { site, setting, newSecret, problem } = state
  if (site === null || siteName === null) return <p className={words.explanation}>{t('noSite')}</p>
  if (setting.kind === 'loading') return <Skeleton rows={5} />
  if (setting.kind === 'failed') return <Failed text={t('failed')} onRetry={() => void state.load()} />
  return (
    <>
      <Group text={t('text')}>
        <div role="status">
          <Sending setting={setting.items} />
        </div>
        {problem !== null && <ProblemBanner problem={problem} />}
        <Unconfirmed setting={setting.items} state={state} />
      </Group>
      {newSecret !== null && (
        <Group title={t('secret.title')} text={t('secret.text')} role="status">
          <div className={styles.secret}>
            <Source label={t('secret.title')} text={newSecret} />
            <Button onClick={() => onCopy(newSecret)}>{t('secret.copy')}</Button>
          </div>
        </Group>
      )}
      {/* Keyed, so that messages about one site never appear for another. */}
      <SettingForm key={site} title={t('title', { site: siteName })} setting={setting.items} state={state} />
      <Test setting={setting.items} state={state} onShowMessages={onShowMessages} />
    </>
  )
}

const tones = { off: 'neutral', on: 'success', unconfirmed: 'warning', gone: 'warning' } as const

const Sending = ({ setting: { state } }: { readonly setting: WebhookSetting }) => {
  const { t } = useTranslation('webhook')
  return <Status tone={tones[state]} word={t(`states.${state}`)} />
}

interface StateProps {
  readonly setting: WebhookSetting
  readonly state: WebhookState
}

/** What a person has to confirm before this computer sends anything: the URL of another computer, or a private address. */
function Unconfirmed({ setting: { state: sending, metAddress }, state }: StateProps) {
  const { t } = useTranslation('webhook')
  if (sending === 'unconfirmed') return <p className={words.explanation}>{t('confirmText')}</p>
  if (metAddress === null) return null
  return (
    <Banner tone="warning" text={t('address.text', { address: metAddress })}>
      <Button onClick={() => void state.confirmAddress(metAddress)}>
        {t('address.confirm', { address: metAddress })}
      </Button>
    </Banner>
  )
}

function SettingForm({ title, setting, state }: StateProps & { readonly title: string }) {
  const { t } = useTranslation('webhook')
  const form = useForm({
    about: `webhook ${state.site ?? ''}`,
    kept: {
      url: setting.url ?? '',
      events: setting.events,
      namesInWebhook: setting.namesInWebhook,
      secret: '',
    },
    saved: t('saved'),
    read: ({ url, secret, ...others }) => ok({ ...others, url: url.trim() || null, secret: secret.trim() || null }),
    save: state.save,
  })
  const { draft, edit, bind } = form
  return (
    <FormGroup title={title} submit={t(setting.state === 'unconfirmed' ? 'saveAndConfirm' : 'save')} form={form}>
      <Fields>
        <TextField label={t('url')} hint={t('urlHint')} type="url" placeholder="https://" {...bind('url')} />
        <TextField
          label={t('secret.label')}
          hint={t(setting.hasSecret ? 'secret.kept' : 'secret.absent')}
          type="password"
          {...bind('secret')}
        />
      </Fields>
      <fieldset className={styles.events}>
        <legend>{t('eventsLegend')}</legend>
        {webhookEvents.map((event) => (
          <Checkbox
            key={event}
            label={t(`events.${eventKeys[event]}`)}
            isChecked={draft.events.includes(event)}
            onChange={(isChecked) =>
              edit({
                events: webhookEvents.filter((each) => (each === event ? isChecked : draft.events.includes(each))),
              })
            }
          />
        ))}
      </fieldset>
      <Checkbox
        label={t('names')}
        isChecked={draft.namesInWebhook}
        onChange={(namesInWebhook) => edit({ namesInWebhook })}
      />
    </FormGroup>
  )
}

function Test({ setting, state, onShowMessages }: StateProps & Pick<Props, 'onShowMessages'>) {
  const { t } = useTranslation(['webhook', 'causes'])
  const { t: causeText } = useTranslation('causes')
  const { test } = state
  const result = (): string => {
    if (test === null) return ''
    if (test === 'sending') return t('test.sending')
    if (test.state === 'delivered') return t('test.delivered', { status: test.status ?? '' })
    return test.cause === null ? t('test.waiting') : t('test.failed', { why: causeIn(test.cause, causeText) })
  }
  return (
    <Group title={t('test.title')} text={t('test.text')}>
      <div className={styles.row}>
        <Button
          aria-disabled={setting.state !== 'on' || test === 'sending'}
          onClick={() => {
            if (setting.state === 'on' && test !== 'sending') void state.sendTest()
          }}
        >
          {t('test.send')}
        </Button>
        <Button look="quiet" onClick={onShowMessages}>
          {t('list.show')}
        </Button>
        <span role="status" className={words.meta}>
          {result()}
        </span>
      </div>
    </Group>
  )
}
