import { useTranslation } from 'react-i18next'

import { useFormats } from '../i18n/formats.ts'
import type { MenuItem } from './menu.tsx'
import { Menu } from './menu.tsx'
import styles from './filter-menu.module.css'

interface Props {
  /** What it narrows by, and to what. */
  readonly label: string
  readonly isNarrowing: boolean
  readonly items: readonly MenuItem[]
  readonly align?: 'start' | 'end'
  readonly onOpen?: () => void
}

/** A filter of a list: a pill that tells what it narrows to, and opens the choices. */
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
  /** What it narrows by. */
  readonly name: string
  /** The words of what was chosen; none lets all through. */
  readonly chosen: readonly string[]
}

/** The pill of a filter that tells the one thing that was chosen, or how many. */
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
