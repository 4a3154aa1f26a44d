import { Checkbox as Base } from '@base-ui/react/checkbox'
import { Check, Minus } from 'lucide-react'
import { useId } from 'react'

import styles from './checkbox.module.css'

interface Props {
  readonly label: string
  readonly isChecked: boolean | 'some'
  readonly onChange: (isChecked: boolean) => void
}

/** A checkbox; `some` is the indeterminate state. */
export function Checkbox({ label, isChecked, onChange }: Props) {
  const id = useId()
  return (
    <span className={styles.line}>
      <Base.Root
        id={id}
        checked={isChecked === true}
        indeterminate={isChecked === 'some'}
        className={styles.box}
        onCheckedChange={onChange}
      >
        <Base.Indicator className={styles.mark}>
          {isChecked === 'some' ? <Minus size={12} aria-hidden /> : <Check size={12} strokeWidth={3} aria-hidden />}
        </Base.Indicator>
      </Base.Root>
      <label htmlFor={id}>{label}</label>
    </span>
  )
}
