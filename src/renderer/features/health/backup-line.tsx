import type { RestoreReport } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { KeyedButton } from '../../commands/keyed-button.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Line } from './line.tsx'
import type { LineProps } from './line.tsx'

const dayMs = 24 * 3_600_000
/** A manual backup counts as recent for this many days. */
const manualFreshDays = 7

/** The number of files that were already lost when the backup was made. */
const missingCountOf = ({ missing, damaged }: Pick<RestoreReport, 'missing' | 'damaged'>): number =>
  missing.length + damaged.length

/** The time and place of the last backup. */
export function BackupLine({
  health: { lastBackup, backupEveryDays, backupFolder },
  state,
  nowMs,
  handlers,
}: LineProps) {
  const { jobs, backUp, askRestore, restored, openRestored } = state
  const { t } = useTranslation('health')
  const formats = useFormats()
  // One day of grace: the computer may have been off when the next backup was due.
  const freshMs = (backupEveryDays === null ? manualFreshDays : backupEveryDays + 1) * dayMs
  const isOld = lastBackup !== null && nowMs - Date.parse(lastBackup.at) > freshMs
  const isDue = lastBackup === null || isOld
  const missingCount = lastBackup === null ? 0 : missingCountOf(lastBackup)
  const restoredLacking = restored === null ? 0 : missingCountOf(restored)
  const text =
    lastBackup === null
      ? t('backup.neverText')
      : t('backup.text', {
          when: formats.relative(lastBackup.at, nowMs),
          size: formats.size(lastBackup.bytes),
          count: lastBackup.versions,
        })
  const notes = [
    ...(lastBackup === null ? [] : [lastBackup.file]),
    ...(lastBackup === null || lastBackup.withFiles ? [] : [t('backup.logOnly')]),
    ...(missingCount === 0 ? [] : [t('backup.lacking', { count: missingCount })]),
    backupEveryDays === null
      ? t('backup.notByItself')
      : backupEveryDays === 1
        ? t('backup.byItselfDaily', { folder: backupFolder })
        : t('backup.byItself', { count: backupEveryDays, folder: backupFolder }),
    ...(restored === null ? [] : [t('backup.restored', { folder: restored.folder })]),
    ...(restoredLacking === 0 ? [] : [t('backup.restoredLacking', { count: restoredLacking })]),
  ]
  return (
    <Line
      name={t('backup.name')}
      means="health:backup"
      tone={isDue || missingCount > 0 ? 'warning' : 'success'}
      word={t(lastBackup === null ? 'backup.never' : isOld ? 'backup.old' : 'backup.fine')}
      text={text}
      moment={lastBackup?.at}
      notes={notes}
      job={jobs.backup ?? jobs.restore}
      actions={
        <>
          {restored !== null && <Button onClick={() => void openRestored()}>{t('backup.openRestored')}</Button>}
          {backupEveryDays === null && <Button onClick={handlers.toLibrarySettings}>{t('backup.schedule')}</Button>}
          <Button onClick={askRestore}>{t('backup.restore')}</Button>
          <KeyedButton look={isDue ? 'primary' : 'plain'} command="health.backUp" onClick={() => void backUp()}>
            {t('backup.start')}
          </KeyedButton>
        </>
      }
    />
  )
}
