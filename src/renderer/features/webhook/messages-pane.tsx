import type { WebhookDelivery } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { Means } from '../../domain/means.tsx'
import { causeIn } from '../../i18n/cause-text.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Entry } from '../../ui/entry.tsx'
import { Failed } from '../../ui/failed.tsx'
import { ForDevelopers } from '../../ui/for-developers.ts'
import { Message } from '../../ui/message.tsx'
import { PanePart } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import words from '../../ui/words.module.css'
import { eventKeys } from './event-keys.ts'
import { useWebhook } from './store.ts'

interface Props {
  /** Leads back to the callbacks. */
  readonly onBack: () => void
}

/** What this computer tells to the webhook of the current site, newest first. */
export function MessagesPane({ onBack }: Props) {
  const { t } = useTranslation('webhook')
  const formats = useFormats()
  const { deliveries } = useWebhook()
  const count = deliveries.kind === 'ready' ? formats.count(deliveries.items.length) : undefined
  return (
    <PanePart title={t('list.title')} count={count} actions={<Button onClick={onBack}>{t('list.back')}</Button>}>
      <List />
    </PanePart>
  )
}

function List() {
  const { t } = useTranslation('webhook')
  const { deliveries, load } = useWebhook()
  if (deliveries.kind === 'loading') return <Skeleton />
  if (deliveries.kind === 'failed') return <Failed text={t('list.failed')} onRetry={() => void load()} />
  if (deliveries.items.length === 0) return <Message title={t('list.none')} text={t('list.noneText')} />
  return (
    <ul aria-label={t('list.title')}>
      {deliveries.items.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} />
      ))}
    </ul>
  )
}

const tones = { waiting: 'busy', delivered: 'success', failed: 'danger' } as const

function Delivery({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { t } = useTranslation('webhook')
  const { t: causeText } = useTranslation('causes')
  const formats = useFormats()
  const { resend } = useWebhook()
  const { id, type, materialId, at, state, attempts, cause, nextAt } = delivery
  const name = t(`events.${eventKeys[type]}`)
  const why = cause === null ? null : t('list.problem', { count: attempts, why: causeIn(cause, causeText) })
  return (
    <Entry label={name}>
      <div>
        <p>{[name, materialId].filter(Boolean).join(' · ')}</p>
        <p className={words.meta}>
          <time dateTime={at}>{formats.exact(at)}</time>
          <ForDevelopers>
            {' · '}
            <span className={words.code}>{id}</span>
          </ForDevelopers>
        </p>
        {why !== null && (
          <p className={words.meta}>
            {why} <Means code="health:webhook" />
          </p>
        )}
        {nextAt !== null && attempts > 0 && (
          <p className={words.meta}>{t('list.next', { when: formats.exact(nextAt) })}</p>
        )}
      </div>
      <Status tone={attempts > 0 && state === 'waiting' ? 'warning' : tones[state]} word={t(`list.states.${state}`)} />
      <Button aria-label={t('list.resendNamed', { name })} onClick={() => void resend(id)}>
        {t('list.resend')}
      </Button>
    </Entry>
  )
}
