import { Users } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { standingTones, standingWord } from '../../domain/team-standing.ts'
import { useFormats } from '../../i18n/formats.ts'
import { useTeam } from './store.ts'
import styles from './team.module.css'

/** Where the library stands with its team, in the status bar; nothing for a library on this computer alone. */
export function TeamMark({ onOpen }: { readonly onOpen: () => void }) {
  const { t } = useTranslation('team')
  const formats = useFormats()
  const view = useTeam((state) => state.view)
  if (view === null) return null
  const word = standingWord(view, t, formats)
  return (
    <button
      type="button"
      className={styles.mark}
      data-tone={standingTones[view.standing.kind]}
      aria-label={`${t('label')}: ${word}`}
      onClick={onOpen}
    >
      <Users size={12} aria-hidden />
      <span role="status">{word}</span>
    </button>
  )
}
