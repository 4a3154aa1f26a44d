import { useTranslation } from 'react-i18next'

import { Button } from '../../ui/button.tsx'
import type { FirstRunProps } from './props.ts'
import { useFirstRun } from './store.ts'

/** Opens the first material, which ends the setup. */
export function SessionStep({ site, onAddSite, onNewMaterial }: FirstRunProps) {
  const { t } = useTranslation('start')
  const leave = useFirstRun((state) => state.leave)
  if (site === null) {
    return (
      <>
        <p>{t('session.needsSite')}</p>
        <Button look="primary" onClick={onAddSite}>
          {t('site.add')}
        </Button>
      </>
    )
  }
  return (
    <Button
      look="primary"
      onClick={() => {
        leave()
        onNewMaterial()
      }}
    >
      {t('session.create')}
    </Button>
  )
}
