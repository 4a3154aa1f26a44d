import { backupsBeside } from '@galley/library/records'
import type { AppSettings } from '@galley/library/records'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { ProblemLine } from '../../domain/means.tsx'
import { Button } from '../../ui/button.tsx'
import { Fields } from '../../ui/field.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import { SelectField } from '../../ui/select.tsx'
import words from '../../ui/words.module.css'
import { useLibraryFolder } from './library-folder.ts'
import { PeopleForm } from './people-form.tsx'
import { RetentionForm } from './retention-form.tsx'
import type { SettingsState } from './store.ts'

interface Props extends Pick<SettingsState, 'change' | 'chooseBackupFolder'> {
  readonly settings: AppSettings
  /** The team that shares the library, or how to join one. */
  readonly team: ReactNode
}

/** Library folder, team, backups and retention of old versions. */
export function LibrarySection({ settings, team, change, chooseBackupFolder }: Props) {
  return (
    <>
      <LibraryGroup />
      {team}
      <BackupGroup settings={settings} change={change} chooseBackupFolder={chooseBackupFolder} />
      <RetentionForm settings={settings} change={change} />
      <PeopleForm />
    </>
  )
}

function LibraryGroup() {
  const { t } = useTranslation('settings')
  const { folder, next, problem, load, open, choose, restart } = useLibraryFolder()
  useEffect(() => void load(), [load])
  return (
    <Group title={t('storage.library')} text={t('storage.libraryText')}>
      {folder !== null && <p className={words.code}>{folder}</p>}
      <Bar>
        <Button onClick={() => void open()}>{t('storage.open')}</Button>
        <Button onClick={() => void choose()}>{t('storage.choose')}</Button>
      </Bar>
      <div role="status">
        {problem !== null && <ProblemLine problem={problem} />}
        {next !== null && (
          <Bar>
            <p>{t(next.isOverruled ? 'storage.nextOnce' : 'storage.next', { folder: next.folder })}</p>
            <Button look="primary" onClick={restart}>
              {t('storage.restart')}
            </Button>
          </Bar>
        )}
      </div>
    </Group>
  )
}

function BackupGroup({
  settings: { backups },
  change,
  chooseBackupFolder,
}: Pick<Props, 'settings' | 'change' | 'chooseBackupFolder'>) {
  const { t } = useTranslation('settings')
  const { folder, everyDays } = backups
  const library = useLibraryFolder(({ folder: own }) => own)
  const place = folder ?? (library === null ? null : backupsBeside(library))
  const choices = new Map<number | null, string>([
    [null, t('storage.everyNever')],
    [1, t('storage.everyDay')],
    [7, t('storage.everyWeek')],
    [30, t('storage.everyMonth')],
  ])
  // Keep a value that was set elsewhere as an option.
  if (!choices.has(everyDays)) choices.set(everyDays, t('storage.everyOther', { count: everyDays ?? 0 }))
  return (
    <Group title={t('storage.backups')} text={t('storage.backupsText')}>
      {place !== null && <p className={words.code}>{place}</p>}
      <Bar>
        <Button onClick={() => void chooseBackupFolder()}>{t('storage.chooseBackup')}</Button>
        {folder !== null && (
          <Button onClick={() => void change({ backups: { folder: null, everyDays } })}>
            {t('storage.clearBackup')}
          </Button>
        )}
      </Bar>
      <Fields>
        <SelectField
          label={t('storage.every')}
          value={String(everyDays)}
          options={Array.from(choices, ([days, label]) => ({ value: String(days), label }))}
          onChange={(value) => void change({ backups: { everyDays: value === 'null' ? null : Number(value) } })}
        />
      </Fields>
      {everyDays !== null && <p className={words.explanation}>{t('storage.thinned')}</p>}
    </Group>
  )
}
