import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { About } from '../../../ipc/settings.ts'
import { useBridge } from '../../bridge/use-bridge.ts'
import { GuideDialog } from '../../domain/guide-dialog.tsx'
import { useUpdates, useUpdateText } from '../../domain/updates.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { useNow } from '../../ui/now.ts'

interface Props {
  readonly onClose: () => void
}

interface HelpProps extends Props {
  readonly onShortcuts: () => void
  readonly onReport: () => void
}

/** The guide, with what else there is to read. */
export function HelpDialog({ onClose, onShortcuts, onReport }: HelpProps) {
  const bridge = useBridge()
  const { t } = useTranslation(['help', 'app', 'ui'])
  const about = useAbout()
  return (
    <GuideDialog
      code={null}
      actions={
        <>
          {about?.hasDocumentation === true && (
            <Button look="quiet" onClick={() => void bridge.call('showDocumentation', undefined)}>
              {t('documentation')}
            </Button>
          )}
          <Button look="quiet" onClick={onShortcuts}>
            {t('app:sheet.title')}
          </Button>
          <Button look="quiet" onClick={onReport}>
            {t('commands.report')}
          </Button>
          <Button onClick={onClose}>{t('ui:close')}</Button>
        </>
      }
      onClose={onClose}
    />
  )
}

/** Version, runtime and licence. */
export function AboutDialog({
  onClose,
  onReport,
  onUpdates,
}: Props & { readonly onReport: () => void; readonly onUpdates: () => void }) {
  const bridge = useBridge()
  const { t } = useTranslation(['help', 'ui', 'updates'])
  const about = useAbout()
  const update = useUpdates(({ state }) => state)
  const updateText = useUpdateText(useNow())
  const facts =
    about === null
      ? []
      : [
          { name: t('about.version'), value: about.version },
          ...(update === null ? [] : [{ name: t('updates:title'), value: updateText(update) }]),
          { name: 'Electron', value: about.runtime.electron },
          { name: 'Chromium', value: about.runtime.chromium },
          { name: 'Node', value: about.runtime.node },
          { name: t('about.licence'), value: about.licence },
          { name: t('about.library'), value: about.library, isCode: true },
        ]
  return (
    <Dialog title={t('about.title')} onClose={onClose}>
      <DialogBody
        actions={
          <>
            <Button look="quiet" onClick={onUpdates}>
              {t('updates:title')}
            </Button>
            {about?.hasNotices === true && (
              <Button look="quiet" onClick={() => void bridge.call('showNotices', undefined)}>
                {t('about.notices')}
              </Button>
            )}
            <Button look="quiet" onClick={onReport}>
              {t('commands.report')}
            </Button>
            <Button onClick={onClose}>{t('ui:close')}</Button>
          </>
        }
      >
        <p>{t('about.text')}</p>
        <Facts facts={facts} />
      </DialogBody>
    </Dialog>
  )
}

function useAbout(): About | null {
  const bridge = useBridge()
  const [about, setAbout] = useState<About | null>(null)
  useEffect(() => {
    let isCurrent = true
    bridge.call('readAbout', undefined).then(
      (read) => isCurrent && setAbout(read),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [bridge])
  return about
}
