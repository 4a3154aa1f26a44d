import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import type { PruneReport } from '../../../contract/care-reports.ts'
import { useProblemText } from '../../data/problem.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import { useNow } from '../../ui/now.ts'
import words from '../../ui/words.module.css'
import type { createPrune } from './prune.ts'

interface Props {
  readonly report: PruneReport
  readonly usePrune: ReturnType<typeof createPrune>
  readonly onClose: () => void
  readonly onConfirm: () => void
}

/** Asks before versions are deleted for good, with the way to make that good again; the focus starts on Cancel. */
export function PruneDialog({ report, usePrune, onClose, onConfirm }: Props) {
  const { t } = useTranslation(['settings', 'ui'])
  const formats = useFormats()
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Dialog title={t('storage.pruning.title', { count: report.versions })} initialFocus={cancel} onClose={onClose}>
      <DialogForm
        onSubmit={onConfirm}
        actions={
          <>
            <Button ref={cancel} onClick={onClose}>
              {t('ui:cancel')}
            </Button>
            <Button look="danger" type="submit">
              {t('storage.pruning.confirm')}
            </Button>
          </>
        }
      >
        <Group>
          <p>{t('storage.pruning.text', { size: formats.size(report.bytes) })}</p>
          <Safety usePrune={usePrune} />
        </Group>
      </DialogForm>
    </Dialog>
  )
}

/** How old the last backup is, and making one now. */
function Safety({ usePrune }: Pick<Props, 'usePrune'>) {
  const { t } = useTranslation('settings')
  const formats = useFormats()
  const problemText = useProblemText()
  const nowMs = useNow()
  const { safety, readSafety, backUpFirst } = usePrune()
  useEffect(() => void readSafety(), [readSafety])
  const text = (): string => {
    switch (safety.kind) {
      case 'unknown':
        return ''
      case 'none':
        return t('storage.pruning.noBackup')
      case 'made':
        return t('storage.pruning.lastBackup', { when: formats.relative(safety.at, nowMs) })
      case 'underway':
        return t('storage.pruning.backingUp')
      case 'failed':
        return problemText(safety.problem)
    }
  }
  return (
    <Bar>
      <span
        role="status"
        className={safety.kind === 'failed' ? words.problem : undefined}
        title={safety.kind === 'made' ? formats.exact(safety.at) : undefined}
      >
        {text()}
      </span>
      <Button aria-disabled={safety.kind === 'underway'} onClick={() => void backUpFirst()}>
        {t('storage.pruning.backUp')}
      </Button>
    </Bar>
  )
}
