import { isSampleSite } from '@galley/library/records'
import type { SiteSummary } from '@galley/library/records'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../ipc/calls.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { CancelAndSubmit, Dialog, DialogForm } from '../../ui/dialog.tsx'
import type { SitesState } from './store.ts'

interface Props {
  readonly site: SiteSummary
  readonly remove: SitesState['remove']
  readonly show: SitesState['show']
}

/** Confirms the removal of a site; the focus starts on Cancel. */
export function RemoveDialog({ site, remove, show }: Props) {
  const { t } = useTranslation('sites')
  const problemText = useProblemText()
  const cancel = useRef<HTMLButtonElement>(null)
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const close = (): void => show({ kind: 'closed' })
  const submit = async (): Promise<void> => {
    const removed = await remove(site.id)
    if (!removed.ok) setProblem(removed.failure)
  }
  return (
    <Dialog
      title={t('removing.title', { name: site.name, environment: t(`environmentNames.${site.environment}`) })}
      initialFocus={cancel}
      onClose={close}
    >
      {problem !== null && <Banner tone="danger" text={problemText(problem)} />}
      <DialogForm
        onSubmit={() => void submit()}
        actions={
          <CancelAndSubmit
            cancelRef={cancel}
            onCancel={close}
            look="danger"
            submit={t('removing.confirm', { name: site.name })}
          />
        }
      >
        <p>{isSampleSite(site) ? t('removing.sample') : t('removing.text', { name: site.name })}</p>
      </DialogForm>
    </Dialog>
  )
}
