import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../contract/ipc.ts'
import type { SiteSummary } from '../../../contract/site.ts'
import { useProblemText } from '../../data/problem.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { useLeaving } from '../../ui/discard-question.tsx'
import { draftOf, emptyDraft, formOf } from './site-draft.ts'
import type { SiteDraft } from './site-draft.ts'
import { SiteFields } from './site-fields.tsx'
import type { SitesState } from './store.ts'

interface Props {
  /** The site to change; null adds one. */
  readonly site: SiteSummary | null
  readonly save: SitesState['save']
  readonly show: SitesState['show']
}

/** Adds or changes a site; what main refuses is shown at its field, with everything typed still there. */
export function SiteDialog({ site, save, show }: Props) {
  const { t } = useTranslation(['sites', 'ui'])
  const problemText = useProblemText()
  const [kept] = useState<SiteDraft>(() => (site === null ? emptyDraft : draftOf(site)))
  const [draft, setDraft] = useState(kept)
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const [isSaving, setSaving] = useState(false)
  const close = (): void => show({ kind: 'closed' })
  const isTyped = Object.entries(draft).some(([name, value]) => value !== kept[name as keyof SiteDraft])
  const { leave, question } = useLeaving(isTyped, close)
  const submit = async (): Promise<void> => {
    if (isSaving) return
    setSaving(true)
    setProblem(null)
    const saved = await save(formOf(draft))
    if (saved.ok) return
    setSaving(false)
    setProblem(saved.failure)
  }
  // That is what a site without one is opened for.
  const lacksSecret = site?.secret === 'missing' || site?.secret === 'changed'
  const secretInput = useRef<HTMLInputElement>(null)
  const isAtField = problem?.field !== undefined && Object.hasOwn(draft, problem.field)

  return (
    <Dialog
      title={site === null ? t('form.addTitle') : t('form.editTitle', { name: site.name })}
      size="large"
      initialFocus={lacksSecret ? secretInput : undefined}
      onClose={leave}
    >
      {problem !== null && !isAtField && <Banner tone="danger" text={problemText(problem)} />}
      <DialogForm
        onSubmit={() => void submit()}
        actions={
          question ?? (
            <>
              {site !== null && (
                <Button look="quiet" style={{ marginInlineEnd: 'auto' }} onClick={() => show({ kind: 'remove', site })}>
                  {t('form.removeStart')}
                </Button>
              )}
              <Button onClick={leave}>{t('ui:cancel')}</Button>
              <Button look="primary" type="submit" aria-disabled={isSaving}>
                {site === null ? t('form.submitAdd') : t('form.submitEdit')}
              </Button>
            </>
          )
        }
      >
        <SiteFields
          draft={draft}
          secret={site?.secret ?? null}
          isServiceChanged={site !== null && draft.baseUrl.trim().replace(/\/+$/, '') !== site.baseUrl}
          problem={isAtField ? problem : null}
          secretInput={secretInput}
          onChange={(change) => setDraft({ ...draft, ...change })}
        />
      </DialogForm>
    </Dialog>
  )
}
