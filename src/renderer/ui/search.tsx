import { Search as SearchIcon, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { enterFoundBy } from './panes.ts'
import styles from './search.module.css'

interface Props {
  readonly label: string
  readonly hint: string
  readonly text: string
  readonly onChange: (text: string) => void
}

/** A pane's search field, focused by Ctrl+F. Enter and Down lead to what was found; Escape clears the field, then leaves it or closes its dialog. */
export function Search({ label, hint, text, onChange }: Props) {
  const { t } = useTranslation('ui')
  return (
    <div className={styles.search} role="search">
      <SearchIcon size={14} aria-hidden className={styles.icon} />
      <input
        data-find
        aria-label={label}
        placeholder={hint}
        value={text}
        spellCheck={false}
        className={styles.input}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          const isEntry = event.key === 'ArrowDown' || event.key === 'Enter'
          if (isEntry && !event.nativeEvent.isComposing && enterFoundBy(event.currentTarget)) event.preventDefault()
          // An empty field leaves the key to its dialog, which closes.
          if (event.key !== 'Escape' || (text === '' && event.currentTarget.closest('[role="dialog"]') !== null)) return
          event.stopPropagation()
          if (text === '') event.currentTarget.blur()
          else onChange('')
        }}
      />
      {text !== '' && (
        <button
          type="button"
          aria-label={t('clearSearch')}
          title={t('clearSearch')}
          className={styles.clear}
          onClick={() => onChange('')}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  )
}

/** Focuses the search field of a pane, or else of the page; returns whether there is one. */
export function focusSearch(pane: string | null): boolean {
  const inPane = pane === null ? null : document.querySelector(`[data-pane="${pane}"] [data-find]`)
  const field = inPane ?? document.querySelector('[data-find]')
  if (!(field instanceof HTMLInputElement)) return false
  field.focus()
  field.select()
  return true
}
