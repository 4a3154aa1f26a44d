import { useTranslation } from 'react-i18next'

import type { ChosenPath } from '../../../ipc/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import words from '../../ui/words.module.css'
import { useHealth } from './store.ts'

/** Asks for a backup and a target folder, each chosen in a system dialog. */
export function RestoreDialog() {
  const { t } = useTranslation(['health', 'ui'])
  const { restoring, chooseForRestore, cancelRestore, restore } = useHealth()
  if (restoring === null) return null
  const { backup, folder, isSubmitted } = restoring
  const choice = (what: 'backup' | 'folder', chosen: ChosenPath | null) => (
    <Group title={t(`restore.${what}`)} text={t(`restore.${what}Text`)}>
      <Bar>
        <p className={chosen === null ? words.meta : words.code}>{chosen?.path ?? t('restore.notChosen')}</p>
        <Button
          aria-label={t(`restore.${what}Choose`)}
          look={chosen === null && (what === 'backup' || backup !== null) ? 'primary' : 'plain'}
          onClick={() => void chooseForRestore(what)}
        >
          {t('restore.choose')}
        </Button>
      </Bar>
      {isSubmitted && chosen === null && (
        <p role="alert" className={words.problem}>
          {t(`restore.${what}Missing`)}
        </p>
      )}
    </Group>
  )
  return (
    <Dialog title={t('restore.title')} onClose={cancelRestore}>
      <DialogForm
        onSubmit={() => void restore()}
        actions={
          <>
            <Button onClick={cancelRestore}>{t('ui:cancel')}</Button>
            <Button look={backup !== null && folder !== null ? 'primary' : 'plain'} type="submit">
              {t('restore.start')}
            </Button>
          </>
        }
      >
        <p>{t('restore.text')}</p>
        {choice('backup', backup)}
        {choice('folder', folder)}
      </DialogForm>
    </Dialog>
  )
}
