import { useTranslation } from 'react-i18next'

import { useFormats } from '../i18n/formats.ts'
import styles from './filter-menu.module.css'
import type { MenuItem } from './menu.tsx'
import { Menu } from './menu.tsx'

interface Props {
  /** The filter's name and current value. */
  readonly label: string
  readonly isNarrowing: boolean
  readonly items: readonly MenuItem[]
  readonly align?: 'start' | 'end'
  readonly onOpen?: () => void
}

/** A list filter: a button that shows the current value and opens the choices. */
export const FilterMenu = ({ label, isNarrowing, items, align = 'start', onOpen }: Props) => (
  <Menu
    align={align}
    onOpen={onOpen}
    trigger={
      <button type="button" className={styles.filter} data-narrows={isNarrowing || undefined}>
        {label}
      </button>
    }
    items={items}
  />
)

interface FilterProps extends Omit<Props, 'label' | 'isNarrowing'> {
  /** The name of the filter. */
  readonly name: string
  /** The chosen values in words; empty means no filter. */
  readonly chosen: readonly string[]
}

/** A filter button that shows the one chosen value, or the number of values. */
export function Filter({ name, chosen, ...rest }: FilterProps) {
  const { t } = useTranslation('ui')
  const formats = useFormats()
  const [only, ...others] = chosen
  const value = others.length > 0 ? formats.count(chosen.length) : only
  return (
    <FilterMenu
      label={value === undefined ? name : t('filters.chosen', { name, value })}
      isNarrowing={value !== undefined}
      {...rest}
    />
  )
}
