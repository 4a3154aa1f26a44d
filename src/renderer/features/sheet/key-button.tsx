import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { isMac, shortcutOf, displayKeys } from '../../commands/keys.ts'
import words from '../../ui/words.module.css'
import styles from './shortcut-sheet.module.css'

interface Props {
  readonly command: string
  readonly keys: readonly string[]
  /** Names the command that already has these keys; null if they are free. */
  readonly ownerOf: (keys: string) => string | null
  /** null removes the shortcut. */
  readonly onChoose: (keys: string | null) => void
}

/** A command's shortcut; when pressed, records a new one, unless another command has it. */
export function KeyButton({ command, keys, ownerOf, onChoose }: Props) {
  const { t } = useTranslation('app')
  const [isTaking, setTaking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isTaking || event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return setTaking(false)
    if (event.key === 'Backspace') {
      setTaking(false)
      return onChoose(null)
    }
    const chosen = shortcutOf(event.nativeEvent, isMac)
    if (chosen === null) return undefined
    const owner = ownerOf(chosen)
    if (owner !== null) return setProblem(t('sheet.taken', { keys: displayKeys(chosen), command: owner }))
    setTaking(false)
    return onChoose(chosen)
  }
  return (
    <span className={styles.keys}>
      <button
        type="button"
        title={isTaking ? t('sheet.pressHint') : t('sheet.change', { command })}
        className={styles.button}
        onClick={() => {
          setProblem(null)
          setTaking(true)
        }}
        onBlur={() => setTaking(false)}
        onKeyDown={onKeyDown}
      >
        {isTaking ? (
          t('sheet.press')
        ) : (
          <>
            <span className={words.unseen}>{t('sheet.change', { command })} </span>
            {keys.length === 0 ? t('sheet.none') : keys.map((key) => <kbd key={key}>{key}</kbd>)}
          </>
        )}
      </button>
      {problem !== null && isTaking && (
        <span role="alert" className={`${words.meta} ${words.problem}`}>
          {problem}
        </span>
      )}
    </span>
  )
}
