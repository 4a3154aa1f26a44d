import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button } from '../../ui/button.tsx'
import { Strip } from '../../ui/strip.tsx'
import { useManyActions } from './material-menu.ts'
import type { MaterialHandlers } from './material-menu.ts'
import { useMaterials } from './store.ts'

interface Props {
  readonly handlers: MaterialHandlers
}

/** Actions for the selected materials; replaces the filters. */
export function SelectionBar({ handlers }: Props) {
  const { t } = useTranslation('ui')
  const { selected, select, question } = useMaterials()
  const actions = useManyActions(handlers)([...selected], question.archived)
  return (
    <Strip
      label={t('selection.title')}
      selected={t('selection.count', { count: selected.size })}
      end={
        <Button look="quiet" icon={X} isIconOnly onClick={() => select(new Set())}>
          {t('selection.clear')}
        </Button>
      }
    >
      {Object.entries(actions).map(([key, { label, icon, onSelect }]) => (
        <Button key={key} look="quiet" icon={icon} onClick={onSelect}>
          {label}
        </Button>
      ))}
    </Strip>
  )
}
