import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from './button.tsx'
import styles from './strip.module.css'

interface Props {
  readonly label: string
  readonly children: ReactNode
  /** Content at the far end. */
  readonly end: ReactNode
}

/** The bar above a list, with its filters. */
export const Strip = ({ label, children, end }: Props) => (
  <div role="group" aria-label={label} className={styles.strip}>
    {children}
    <span className={styles.gap} />
    {end}
  </div>
)

interface SelectionProps {
  readonly count: number
  readonly onClear: () => void
  readonly children: ReactNode
}

/** The bar above a list while rows are selected, with the actions for them. */
export function SelectionStrip({ count, onClear, children }: SelectionProps) {
  const { t } = useTranslation('ui')
  return (
    <div role="group" aria-label={t('selection.title')} className={`${styles.strip} ${styles.selection}`}>
      <span className={styles.selected} role="status">
        {t('selection.count', { count })}
      </span>
      {children}
      <span className={styles.gap} />
      <Button look="quiet" icon={X} isIconOnly onClick={onClear}>
        {t('selection.clear')}
      </Button>
    </div>
  )
}
