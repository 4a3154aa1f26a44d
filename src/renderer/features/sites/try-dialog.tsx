import type { CallbackRow, SiteSummary } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { FirstSave } from '../../domain/first-save.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'

interface Props {
  readonly site: SiteSummary
  readonly onShowSave: (row: CallbackRow) => void
  readonly onClose: () => void
}

/** Proves that the service accepts the secret of a site, and that its saves arrive. */
export function TryDialog({ site, onShowSave, onClose }: Props) {
  const { t } = useTranslation(['sites', 'ui'])
  return (
    <Dialog title={t('firstSave.title', { name: site.name })} onClose={onClose}>
      <DialogBody actions={<Button onClick={onClose}>{t('ui:close')}</Button>}>
        <p>{t('firstSave.text')}</p>
        <FirstSave
          site={site}
          onShow={(row) => {
            onClose()
            onShowSave(row)
          }}
        />
      </DialogBody>
    </Dialog>
  )
}
