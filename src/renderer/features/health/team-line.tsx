import { useTranslation } from 'react-i18next'

import { useBridge } from '../../bridge/use-bridge.ts'
import { teamTones, teamStateText } from '../../domain/team-state.ts'
import { causeIn } from '../../i18n/cause-text.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/now.ts'
import { Line } from './line.tsx'
import type { LineProps } from './line.tsx'

/** The state of the team; nothing for a library on this computer alone. */
export function TeamLine({ health: { team }, handlers }: Pick<LineProps, 'health' | 'handlers'>) {
  const { t, i18n } = useTranslation('team')
  const formats = useFormats()
  const bridge = useBridge()
  const nowMs = useNow()
  if (team === null) return null
  const { syncState, isReadOnly, undecided } = team
  const isAway = syncState.kind === 'offline' || syncState.kind === 'stopped'
  const reason =
    isAway || syncState.kind === 'refusing' ? causeIn(syncState.why, i18n.getFixedT(i18n.language, 'causes')) : ''
  return (
    <Line
      name={t('label')}
      means="health:team"
      tone={(isReadOnly || undecided > 0) && !isAway ? 'warning' : teamTones[syncState.kind]}
      word={teamStateText(team, t, formats, nowMs)}
      text={t(`health.${syncState.kind}Text`, { reason })}
      notes={[
        ...(isAway ? [t('health.offlineMeans')] : []),
        ...(undecided > 0 ? [t('health.undecidedMeans')] : []),
        ...(isReadOnly ? [t('readOnlyText')] : []),
      ]}
      actions={
        <>
          {/* The push that follows shows the result. */}
          <Button onClick={() => void bridge.call('syncTeam', undefined).catch(() => null)}>{t('sync')}</Button>
          {undecided > 0 ? (
            <Button onClick={handlers.toLibrarySettings}>{t('health.toConflicts')}</Button>
          ) : (
            (syncState.kind === 'stopped' || syncState.kind === 'refusing' || isReadOnly) && (
              <Button onClick={handlers.toLibrarySettings}>{t('health.toSettings')}</Button>
            )
          )}
        </>
      }
    />
  )
}
