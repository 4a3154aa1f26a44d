import type { ReactNode } from 'react'
import { useId } from 'react'

import styles from './field.module.css'

/** Attributes that tie a control to its label, hint and error. */
export interface ControlProps {
  readonly id: string
  readonly className: string | undefined
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
  readonly 'aria-required': true | undefined
}

interface Props {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly isRequired?: boolean
  readonly children: (control: ControlProps) => ReactNode
}

/** A labelled control with a hint, which an error replaces. */
export function Field({ label, hint, error, isRequired = false, children }: Props) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isRequired ? `${styles.label} ${styles.required}` : styles.label}>
        {label}
      </label>
      {children({
        id,
        className: styles.control,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
        'aria-invalid': error !== undefined,
        'aria-required': isRequired || undefined,
      })}
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={error === undefined ? styles.hint : styles.error}
          role={error ? 'alert' : undefined}
        >
          {note}
        </p>
      )}
    </div>
  )
}

/** Fields side by side where they fit. */
export const Fields = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.fields}>{children}</div>
)
