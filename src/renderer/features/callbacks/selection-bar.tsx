import { FlaskConical, RotateCcw, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button } from '../../ui/button.tsx'
import { Strip } from '../../ui/strip.tsx'
import { useBatch } from './batch-store.ts'

/** Actions for several selected callbacks. */
export function SelectionBar() {
  const { t } = useTranslation(['callbacks', 'ui'])
  const { selected, select, ask } = useBatch()
  if (selected.size === 0) return null
  const ids = [...selected]
  return (
    <Strip
      label={t('ui:selection.title')}
      selected={t('ui:selection.count', { count: ids.length })}
      end={
        <Button look="quiet" icon={X} isIconOnly onClick={() => select(new Set())}>
          {t('ui:selection.clear')}
        </Button>
      }
    >
      <Button look="quiet" icon={FlaskConical} onClick={() => ask(ids, true)}>
        {t('actions.dryRun')}
      </Button>
      <Button look="quiet" icon={RotateCcw} onClick={() => ask(ids, false)}>
        {t('actions.replay')}
      </Button>
    </Strip>
  )
}
