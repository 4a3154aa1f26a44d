import { Users } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { teamTones, teamStateText } from '../../domain/team-state.ts'
import { useFormats } from '../../i18n/formats.ts'
import { BarButton } from '../../ui/bar-button.tsx'
import { useNow } from '../../ui/now.ts'
import { useTeam } from './store.ts'

interface Props {
  readonly onOpen: () => void
  /** Opens the list of changes that need a decision. */
  readonly onDecide: () => void
}

/** The state of the team in the status bar; nothing for a library on this computer alone. */
export function TeamMark({ onOpen, onDecide }: Props) {
  const { t } = useTranslation('team')
  const formats = useFormats()
  const nowMs = useNow()
  const view = useTeam((state) => state.view)
  if (view === null) return null
  const word = teamStateText(view, t, formats, nowMs)
  const tone = teamTones[view.syncState.kind]
  return (
    <BarButton
      icon={Users}
      tone={view.undecided > 0 && tone !== 'danger' ? 'warning' : tone}
      aria-label={`${t('label')}: ${word}`}
      onClick={view.undecided > 0 ? onDecide : onOpen}
    >
      <span role="status">{word}</span>
    </BarButton>
  )
}
