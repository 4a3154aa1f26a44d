import { useId } from 'react'

import styles from './field.module.css'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly help?: string
  readonly problem?: string | null
  readonly isLong?: boolean
  readonly autoFocus?: boolean
  readonly onInput: (value: string) => void
  readonly onFocus?: () => void
}

/** A labelled text input of one or more lines, with its help or error text. */
export function TextField({ label, value, help, problem, isLong, autoFocus, onInput, onFocus }: TextFieldProps) {
  const id = useId()
  const note = problem ?? help
  const props = {
    id,
    value,
    autoFocus,
    onFocus,
    'aria-invalid': problem != null,
    ...(note !== undefined && { 'aria-describedby': `${id}-note` }),
  }
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {isLong ? (
        <textarea rows={3} {...props} onChange={(event) => onInput(event.target.value)} />
      ) : (
        <input type="text" {...props} onChange={(event) => onInput(event.target.value)} />
      )}
      {note !== undefined && (
        <p
          id={`${id}-note`}
          role={problem == null ? undefined : 'alert'}
          className={problem == null ? '' : styles.problem}
        >
          {note}
        </p>
      )}
    </div>
  )
}

interface SelectFieldProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly help?: string
  readonly onChoose: (value: Value) => void
}

/** A labelled select box. */
export function SelectField<Value extends string>({ label, value, options, help, onChoose }: SelectFieldProps<Value>) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        {...(help !== undefined && { 'aria-describedby': `${id}-note` })}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value)
          if (chosen !== undefined) onChoose(chosen.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {help !== undefined && <p id={`${id}-note`}>{help}</p>}
    </div>
  )
}

interface SegmentsProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  /** Whether the label is for screen readers only. */
  readonly isLabelHidden?: boolean
  readonly onChoose: (value: Value) => void
}

/** A segmented control: radio buttons side by side. */
export function Segments<Value extends string>({
  label,
  value,
  options,
  isLabelHidden,
  onChoose,
}: SegmentsProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.segments} {...(isLabelHidden && { 'aria-label': label })}>
      {!isLabelHidden && <legend>{label}</legend>}
      <div>
        {options.map((option) => (
          <label key={option.value}>
            <input type="radio" name={name} checked={option.value === value} onChange={() => onChoose(option.value)} />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
