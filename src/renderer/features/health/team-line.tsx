import { useTranslation } from 'react-i18next'

import { useBridge } from '../../bridge/use-bridge.ts'
import { teamTones, teamStateText } from '../../domain/team-state.ts'
import { causeIn } from '../../i18n/cause-text.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/now.ts'
import { Line } from './line.tsx'
import type { LineProps } from './line.tsx'

/** The team standing; nothing for a library on this computer alone. */
export function TeamLine({ health: { team }, handlers }: Pick<LineProps, 'health' | 'handlers'>) {
  const { t, i18n } = useTranslation('team')
  const formats = useFormats()
  const bridge = useBridge()
  const nowMs = useNow()
  if (team === null) return null
  const { standing, isReadOnly, undecided } = team
  const isAway = standing.kind === 'offline' || standing.kind === 'stopped'
  const reason =
    isAway || standing.kind === 'refusing' ? causeIn(standing.why, i18n.getFixedT(i18n.language, 'causes')) : ''
  return (
    <Line
      name={t('label')}
      tone={(isReadOnly || undecided > 0) && !isAway ? 'warning' : teamTones[standing.kind]}
      word={teamStateText(team, t, formats, nowMs)}
      text={t(`health.${standing.kind}Text`, { reason })}
      notes={[
        ...(isAway ? [t('health.offlineMeans')] : []),
        ...(undecided > 0 ? [t('health.undecidedMeans')] : []),
        ...(isReadOnly ? [t('readOnlyText')] : []),
      ]}
      actions={
        <>
          {/* The push that follows shows the result. */}
          <Button onClick={() => void bridge.call('lookAtTeam', undefined).catch(() => null)}>{t('look')}</Button>
          {undecided > 0 ? (
            <Button onClick={handlers.toLibrarySettings}>{t('health.toConflicts')}</Button>
          ) : (
            (standing.kind === 'stopped' || standing.kind === 'refusing' || isReadOnly) && (
              <Button onClick={handlers.toLibrarySettings}>{t('health.toSettings')}</Button>
            )
          )}
        </>
      }
    />
  )
}
