import { Button } from '../../ui/button.tsx'
import { SelectionStrip } from '../../ui/strip.tsx'
import { useManyActions } from './material-menu.ts'
import type { MaterialHandlers } from './material-menu.ts'
import { useMaterials } from './store.ts'

interface Props {
  readonly handlers: MaterialHandlers
}

/** Actions for the selected materials; replaces the filters. */
export function SelectionBar({ handlers }: Props) {
  const { selected, select, question } = useMaterials()
  const actions = useManyActions(handlers)([...selected], question.archived)
  return (
    <SelectionStrip count={selected.size} onClear={() => select(new Set())}>
      {Object.entries(actions).map(([key, { label, icon, onSelect }]) => (
        <Button key={key} look="quiet" icon={icon} onClick={onSelect}>
          {label}
        </Button>
      ))}
    </SelectionStrip>
  )
}
