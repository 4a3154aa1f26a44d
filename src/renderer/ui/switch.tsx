import { Switch as Base } from '@base-ui/react/switch'
import { useId } from 'react'

import styles from './switch.module.css'

interface Props {
  readonly label: string
  readonly hint?: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

/** An on/off setting that takes effect at once. */
export function Switch({ label, hint, isOn, onChange }: Props) {
  const id = useId()
  return (
    <div className={styles.line}>
      <div className={styles.words}>
        <label id={`${id}-label`} htmlFor={id} className={styles.label}>
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
      </div>
      <Base.Root
        id={id}
        checked={isOn}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className={styles.track}
        onCheckedChange={onChange}
      >
        <Base.Thumb className={styles.thumb} />
      </Base.Root>
    </div>
  )
}
