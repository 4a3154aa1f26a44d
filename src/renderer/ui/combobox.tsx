import type { KeyboardEvent } from 'react'
import { useId, useState } from 'react'

import styles from './combobox.module.css'
import type { ControlProps } from './field.tsx'

/** One of the choices: its key, its name, and what distinguishes it from others with that name. */
export interface Suggestion {
  readonly key: string
  readonly label: string
  readonly detail: string
}

interface Props extends ControlProps {
  readonly placeholder?: string
  readonly value: Suggestion | null
  /** The options that match the input, computed by the caller. */
  readonly suggestions: readonly Suggestion[]
  /** The text if there are none. */
  readonly empty: string
  /** Called with the input. An empty input requests all options. */
  readonly onType: (text: string) => void
  readonly onChange: (key: string) => void
}

/**
 * A field with suggestions from a list that is too long to show: arrows move, Enter chooses, Escape closes. The list
 * is not a layer, so that nothing around it is hidden from screen readers.
 */
export function Combobox({ placeholder, value, suggestions, empty, onType, onChange, ...control }: Props) {
  const listId = useId()
  /** null: the list is closed. */
  const [typed, setTyped] = useState<string | null>(null)
  const [index, setIndex] = useState(0)
  const active = suggestions[Math.min(index, suggestions.length - 1)]
  const optionId = (key: string): string => `${listId}-${suggestions.findIndex((each) => each.key === key)}`
  const open = (): void => {
    if (typed !== null) return
    setTyped(value?.label ?? '')
    setIndex(0)
    onType('')
  }
  const take = (key: string): void => {
    setTyped(null)
    onChange(key)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      if (typed === null) open()
      else setIndex((index + step + suggestions.length) % Math.max(1, suggestions.length))
    } else if (typed !== null && event.key === 'Enter') {
      event.preventDefault()
      if (active !== undefined) take(active.key)
    } else if (typed !== null && event.key === 'Escape') {
      event.stopPropagation()
      setTyped(null)
    }
  }
  return (
    <div className={styles.combobox}>
      <input
        {...control}
        role="combobox"
        aria-expanded={typed !== null}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={typed === null || active === undefined ? undefined : optionId(active.key)}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        value={typed ?? value?.label ?? ''}
        onChange={(event) => {
          setTyped(event.target.value)
          setIndex(0)
          onType(event.target.value)
        }}
        onClick={(event) => {
          event.currentTarget.select()
          open()
        }}
        onBlur={() => setTyped(null)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.popup} hidden={typed === null}>
        <Options
          listId={listId}
          suggestions={suggestions}
          empty={empty}
          optionId={optionId}
          label={placeholder}
          activeKey={active?.key}
          onPoint={setIndex}
          onTake={take}
        />
      </div>
    </div>
  )
}

interface OptionsProps extends Pick<Props, 'suggestions' | 'empty'> {
  readonly listId: string
  readonly label: string | undefined
  readonly activeKey: string | undefined
  readonly optionId: (key: string) => string
  readonly onPoint: (index: number) => void
  readonly onTake: (key: string) => void
}

function Options({ listId, label, suggestions, empty, activeKey, optionId, onPoint, onTake }: OptionsProps) {
  return (
    <>
      <div id={listId} role="listbox" aria-label={label}>
        {suggestions.map(({ key, label: name, detail }, at) => (
          // The field has the focus and handles the keys.
          // oxlint-disable-next-line click-events-have-key-events, interactive-supports-focus
          <div
            key={key}
            id={optionId(key)}
            role="option"
            aria-selected={key === activeKey}
            className={styles.option}
            onMouseDown={(event) => event.preventDefault()}
            onMouseEnter={() => onPoint(at)}
            onClick={() => onTake(key)}
          >
            <span>{name}</span>
            <span className={styles.detail}>{detail}</span>
          </div>
        ))}
      </div>
      {suggestions.length === 0 && (
        <p role="status" className={styles.empty}>
          {empty}
        </p>
      )}
    </>
  )
}
