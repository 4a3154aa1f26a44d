import type { OpenSiteProblem, SiteSummary, SiteWithProblems } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { useUnsignedText } from '../../domain/unsigned-text.ts'
import { causeIn } from '../../i18n/cause-text.tsx'
import { Button } from '../../ui/button.tsx'
import { Line } from './line.tsx'
import type { HealthHandlers } from './line.tsx'

interface Props {
  readonly site: SiteWithProblems
  readonly handlers: Pick<
    HealthHandlers,
    'confirmSite' | 'enterSecret' | 'toFailedSavesOf' | 'toMessagesOf' | 'checkSignature' | 'dismissUnsigned'
  >
}

/** The lines about one site that needs attention, whichever site is shown. */
export function SiteLines({ site, handlers }: Props) {
  return site.problems.map((problem) => (
    <ProblemLine key={problem.kind} site={site} problem={problem} handlers={handlers} />
  ))
}

/** A secret that no session was opened with yet; hidden otherwise. */
export function SecretLine({ site: { name, secret, isSecretTried } }: { readonly site: SiteSummary }) {
  const { t } = useTranslation(['health', 'start'])
  if (secret !== 'stored' || isSecretTried) return null
  return (
    <Line
      name={t('sites.secret', { site: name })}
      tone="neutral"
      word={t('sites.untried')}
      text={t('start:checks.secret_untried')}
      actions={null}
    />
  )
}

function ProblemLine({ site: { id, name }, problem, handlers }: Props & { readonly problem: OpenSiteProblem }) {
  const { t } = useTranslation(['health', 'sites', 'materials', 'ui'])
  const { t: causeText } = useTranslation('causes')
  const unsignedText = useUnsignedText()
  switch (problem.kind) {
    case 'unconfirmed':
      return (
        <Line
          name={t('sites.addresses', { site: name })}
          means="site_unconfirmed"
          tone="warning"
          word={t('sites.unconfirmed')}
          text={t('sites:unconfirmed')}
          actions={<Button onClick={() => handlers.confirmSite(id)}>{t('sites:confirm')}</Button>}
        />
      )
    case 'secret':
      return (
        <Line
          name={t('sites.secret', { site: name })}
          means={`secrets_unavailable_${problem.secret}`}
          tone="warning"
          word={t('sites.missing')}
          text={t(`sites:secret.${problem.secret}`)}
          actions={<Button onClick={() => handlers.enterSecret(id)}>{t('sites:enterSecret')}</Button>}
        />
      )
    case 'unreachable':
      return (
        <Line
          name={t('sites.addresses', { site: name })}
          means="check:callback_private"
          tone="danger"
          word={t('sites.unreachable')}
          text={t('sites.unreachableText')}
          actions={<Button onClick={() => handlers.enterSecret(id)}>{t('sites:edit')}</Button>}
        />
      )
    case 'webhook':
      return (
        <Line
          name={t('webhook.name', { site: name })}
          means="health:webhook"
          tone="warning"
          word={t('webhook.failed')}
          text={t('webhook.text', { why: causeIn(problem.cause, causeText) })}
          actions={<Button onClick={() => handlers.toMessagesOf(id)}>{t('webhook.show')}</Button>}
        />
      )
    case 'unsigned_saves':
      return (
        <Line
          name={t('unsigned.name', { site: name })}
          means="callback:invalid_signature"
          tone="warning"
          word={t(problem.signedIn === null ? 'unsigned.word' : 'unsigned.otherHeader')}
          text={unsignedText(problem)}
          actions={
            <>
              <Button onClick={() => handlers.checkSignature(id, problem.newest)}>
                {t('materials:checkSignature')}
              </Button>
              <Button onClick={() => handlers.dismissUnsigned(id)}>{t('ui:dismiss')}</Button>
            </>
          }
        />
      )
    case 'failed_saves':
      return (
        <Line
          name={t('saves.name', { site: name })}
          means="outcome:failed"
          tone="danger"
          word={t('saves.failed')}
          text={problem.isStorageAtFault ? t('saves.storageText') : t('saves.text', { count: problem.count })}
          actions={<Button onClick={() => handlers.toFailedSavesOf(id)}>{t('saves.show')}</Button>}
        />
      )
  }
}
