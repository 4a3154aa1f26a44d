import type { Health } from '@galley/library/records'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { ProblemLine } from '../../domain/means.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Status } from '../../ui/status.tsx'
import styles from './first-run.module.css'
import { Outcome } from './outcome.tsx'
import { useFirstRun } from './store.ts'

/** The library folder, its free space, and the choice of another folder. */
export function LibraryStep() {
  const { t } = useTranslation('start')
  const { library, testLibrary, nextFolder, chooseFolder, restart } = useFirstRun()
  useEffect(() => void testLibrary(), [testLibrary])
  const isTesting = library.kind === 'testing'
  return (
    <>
      <Outcome>
        {library.kind === 'done' && <Library health={library.value} />}
        {library.kind === 'failed' && <Status tone="danger" word={t('library.failed')} />}
        {nextFolder.kind === 'done' && (
          <Status
            tone="busy"
            word={t(nextFolder.value.isOverruled ? 'library.chosenOnce' : 'library.chosen', {
              folder: nextFolder.value.folder,
            })}
          />
        )}
        {nextFolder.kind === 'failed' && <ProblemLine problem={nextFolder.problem} />}
      </Outcome>
      <div className={styles.buttons}>
        <Button aria-disabled={isTesting} onClick={() => void testLibrary()}>
          {isTesting ? t('library.testing') : t('library.test')}
        </Button>
        <Button onClick={() => void chooseFolder()}>{t('library.choose')}</Button>
        {nextFolder.kind === 'done' && <Button onClick={restart}>{t('library.restart')}</Button>}
      </div>
    </>
  )
}

function Library({ health: { library, disk, backupFolder, backupEveryDays } }: { readonly health: Health }) {
  const { t } = useTranslation('start')
  const formats = useFormats()
  return (
    <>
      <Facts
        facts={[
          { name: t('library.folder'), value: library.folder, isCode: true },
          ...(backupEveryDays === null ? [] : [{ name: t('library.backups'), value: backupFolder, isCode: true }]),
        ]}
      />
      <Status
        tone={disk.isLow ? 'warning' : 'success'}
        word={
          disk.isLow
            ? t('library.low')
            : t('library.disk', { free: formats.size(disk.freeBytes), total: formats.size(disk.totalBytes) })
        }
      />
      {library.syncedBy !== null && <Status tone="warning" word={t('library.synced', { program: library.syncedBy })} />}
    </>
  )
}
