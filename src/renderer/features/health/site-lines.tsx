import { useTranslation } from 'react-i18next'

import type { SiteTrouble, TroubledSite } from '../../../contract/ipc/health.ts'
import { Button } from '../../ui/button.tsx'
import { Line } from './line.tsx'
import type { HealthHandlers } from './line.tsx'

interface Props {
  readonly site: TroubledSite
  readonly handlers: Pick<HealthHandlers, 'confirmSite' | 'enterSecret' | 'toCallbacksOf'>
}

/** The lines about one site that needs attention, whichever site is shown. */
export function SiteLines({ site, handlers }: Props) {
  return site.troubles.map((trouble) => (
    <TroubleLine key={trouble.kind} site={site} trouble={trouble} handlers={handlers} />
  ))
}

function TroubleLine({ site: { id, name }, trouble, handlers }: Props & { readonly trouble: SiteTrouble }) {
  const { t } = useTranslation(['health', 'sites'])
  switch (trouble.kind) {
    case 'unconfirmed':
      return (
        <Line
          name={t('sites.addresses', { site: name })}
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
          tone="warning"
          word={t('sites.missing')}
          text={t(`sites:secret.${trouble.secret}`)}
          actions={<Button onClick={() => handlers.enterSecret(id)}>{t('sites:enterSecret')}</Button>}
        />
      )
    case 'failed_saves':
      return (
        <Line
          name={t('saves.name', { site: name })}
          tone="danger"
          word={t('saves.failed')}
          text={trouble.isStorageAtFault ? t('saves.storageText') : t('saves.text', { count: trouble.count })}
          actions={<Button onClick={() => handlers.toCallbacksOf(id)}>{t('saves.show')}</Button>}
        />
      )
  }
}
