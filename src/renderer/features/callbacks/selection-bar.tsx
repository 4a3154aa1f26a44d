import { FlaskConical, RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button } from '../../ui/button.tsx'
import { SelectionStrip } from '../../ui/strip.tsx'
import { useBatch } from './batch-store.ts'

/** Actions for several selected callbacks. */
export function SelectionBar() {
  const { t } = useTranslation('callbacks')
  const { selected, select, ask } = useBatch()
  if (selected.size === 0) return null
  const ids = [...selected]
  return (
    <SelectionStrip count={ids.length} onClear={() => select(new Set())}>
      <Button look="quiet" icon={FlaskConical} onClick={() => ask(ids, true)}>
        {t('actions.dryRun')}
      </Button>
      <Button look="quiet" icon={RotateCcw} onClick={() => ask(ids, false)}>
        {t('actions.replay')}
      </Button>
    </SelectionStrip>
  )
}
