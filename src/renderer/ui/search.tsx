import { Search as SearchIcon, X } from 'lucide-react'
import type { Ref } from 'react'

import styles from './search.module.css'

interface Props {
  readonly label: string
  readonly hint: string
  /** Name of the button that empties the field. */
  readonly clear: string
  readonly text: string
  readonly onChange: (text: string) => void
  readonly ref?: Ref<HTMLInputElement>
}

/** A search field; Escape empties it first and only then leaves it. */
export function Search({ label, hint, clear, text, onChange, ref }: Props) {
  return (
    <div className={styles.search} role="search">
      <SearchIcon size={14} aria-hidden className={styles.icon} />
      <input
        ref={ref}
        aria-label={label}
        placeholder={hint}
        value={text}
        spellCheck={false}
        className={styles.input}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (text === '') event.currentTarget.blur()
          else onChange('')
        }}
      />
      {text !== '' && (
        <button type="button" aria-label={clear} title={clear} className={styles.clear} onClick={() => onChange('')}>
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  )
}
