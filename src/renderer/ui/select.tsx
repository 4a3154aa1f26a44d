import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'

import type { ControlProps } from './field.tsx'
import { Field } from './field.tsx'
import styles from './select.module.css'

interface Props<Value extends string> extends Partial<ControlProps> {
  /** The accessible name, if no `Field` surrounds it. */
  readonly label?: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value) => void
  readonly name?: string
}

/** A drop-down that shows its current value. */
export function Select<Value extends string>({ label, value, options, onChange, name, ...control }: Props<Value>) {
  return (
    <Base.Root
      items={options}
      value={value}
      {...(name === undefined ? {} : { name })}
      onValueChange={(chosen) => {
        if (chosen !== null) onChange(chosen)
      }}
    >
      <Base.Trigger
        id={control.id}
        aria-label={label}
        aria-describedby={control['aria-describedby']}
        className={styles.trigger}
      >
        <Base.Value className={styles.value} />
        <Base.Icon className={styles.icon}>
          <ChevronDown size={14} aria-hidden />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            {options.map((option) => (
              <Base.Item key={option.value} value={option.value} className={styles.item}>
                <span className={styles.check}>
                  <Base.ItemIndicator>
                    <Check size={14} aria-hidden />
                  </Base.ItemIndicator>
                </span>
                <Base.ItemText>{option.label}</Base.ItemText>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface FieldProps<Value extends string> extends Omit<Props<Value>, keyof ControlProps> {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
}

/** A labelled drop-down. */
export const SelectField = <Value extends string>({ label, hint, error, ...select }: FieldProps<Value>) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => <Select {...control} {...select} />}
  </Field>
)
