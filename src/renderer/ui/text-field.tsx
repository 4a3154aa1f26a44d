import { useEffect, useRef } from 'react'
import type { InputHTMLAttributes, KeyboardEvent, Ref, RefObject } from 'react'

import { Button } from './button.tsx'
import { Field } from './field.tsx'
import styles from './text-field.module.css'

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly isRequired?: boolean
}

type InputOptions = 'inputMode' | 'maxLength' | 'name' | 'placeholder' | 'readOnly' | 'type'

/** The options of a text field. */
export interface TextFieldOptions
  extends Pick<FieldProps, 'hint' | 'isRequired'>, Pick<InputHTMLAttributes<HTMLInputElement>, InputOptions> {}

interface TextFieldProps extends FieldProps, Pick<TextFieldOptions, InputOptions> {
  readonly value: string
  /** Whether people write words in it; otherwise the browser does not check its spelling. */
  readonly isProse?: boolean
  readonly onChange: (value: string) => void
  readonly ref?: Ref<HTMLInputElement> | undefined
}

/** A line of text, which the browser never completes. */
export function TextField({ label, hint, error, isRequired, isProse, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} isRequired={isRequired ?? false}>
      {(control) => (
        <input
          {...control}
          {...input}
          spellCheck={isProse ?? false}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

interface TextAreaProps extends FieldProps, Pick<TextFieldOptions, 'maxLength' | 'name' | 'placeholder'> {
  readonly value: string
  readonly rows?: number
  /** Whether people write sentences in it; otherwise the browser does not check its spelling. */
  readonly isProse?: boolean
  /** Whether Ctrl+Enter submits the form; Enter begins a new line. */
  readonly submitsByKey?: boolean
  readonly onChange: (value: string) => void
}

/** Submits the form of a text area with Ctrl+Enter; Enter begins a new line. */
function submitByKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
}

/** Several lines of text. */
export function TextArea(props: TextAreaProps) {
  const { label, hint, error, isRequired, rows = 2, isProse, submitsByKey, onChange, ...area } = props
  return (
    <Field label={label} hint={hint} error={error} isRequired={isRequired ?? false}>
      {(control) => (
        <textarea
          {...control}
          {...area}
          rows={rows}
          spellCheck={isProse ?? false}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={submitsByKey ? submitByKey : undefined}
        />
      )}
    </Field>
  )
}

interface PathFieldProps extends FieldProps {
  readonly path: string
  readonly placeholder: string
  /** The button's text. */
  readonly choose: string
  readonly onChoose: () => void
}

/** A required path that only a system dialog can set. */
export function PathField({ label, hint, error, path, placeholder, choose, onChoose }: PathFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} isRequired>
      {(control) => (
        <span className={styles.path}>
          <input {...control} readOnly value={path} placeholder={placeholder} />
          <Button onClick={onChoose}>{choose}</Button>
        </span>
      )}
    </Field>
  )
}

/** Returns the ref of a form's fields; each new error, unless null, focuses the first invalid one. */
export function useFocusOnError(error: object | null): RefObject<HTMLDivElement | null> {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error !== null) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  return fields
}
