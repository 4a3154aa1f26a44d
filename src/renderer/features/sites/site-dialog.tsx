import type { SiteSummary } from '@galley/library/records'
import { keysIn } from '@galley/wire'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../ipc/calls.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { useDiscardGuard } from '../../ui/discard-question.tsx'
import { derived, draftOf, emptyDraft, formOf, problemsIn } from './site-draft.ts'
import type { SiteDraft } from './site-draft.ts'
import { SiteFields } from './site-fields.tsx'
import type { SitesState } from './store.ts'

interface Props {
  /** The site to edit; null adds one. */
  readonly site: SiteSummary | null
  /** The listener's local URL, if it runs. */
  readonly listenerUrl: string | null
  readonly save: SitesState['save']
  readonly show: SitesState['show']
}

/** Adds or edits a site; shows main's validation errors at their fields and keeps the input. */
export function SiteDialog({ site, listenerUrl, save, show }: Props) {
  const { t } = useTranslation(['sites', 'ui'])
  const problemText = useProblemText()
  const [kept] = useState<SiteDraft>(() =>
    site === null ? derived(emptyDraft, new Set(), listenerUrl) : draftOf(site),
  )
  const [draft, setDraft] = useState(kept)
  const [typed, setTyped] = useState<ReadonlySet<string>>(new Set())
  const [problems, setProblems] = useState<readonly CallProblem[]>([])
  const [isSaving, setSaving] = useState(false)
  const close = (): void => show({ kind: 'closed' })
  const isTyped = keysIn(draft).some((name) => draft[name] !== kept[name])
  const { leave, question } = useDiscardGuard(isTyped, close)
  const submit = async (): Promise<void> => {
    if (isSaving) return
    const wrong = problemsIn(draft)
    setProblems(wrong)
    if (wrong.length > 0) return
    setSaving(true)
    const saved = await save(formOf(draft))
    if (saved.ok) return
    setSaving(false)
    setProblems([saved.failure])
  }
  const change = (changed: Partial<SiteDraft>): void => {
    const next = { ...draft, ...changed }
    const allTyped = new Set([...typed, ...Object.keys(changed)])
    const shown = site === null ? derived(next, allTyped, listenerUrl) : next
    setTyped(allTyped)
    setDraft(shown)
    // An error applies only while its field is unchanged.
    const edited = new Set<string | undefined>(keysIn(shown).filter((name) => shown[name] !== draft[name]))
    setProblems(problems.filter(({ field }) => !edited.has(field)))
  }
  // A site without a usable secret is opened to enter one.
  const lacksSecret = site?.secret === 'missing' || site?.secret === 'changed'
  const secretInput = useRef<HTMLInputElement>(null)
  const isAtField = ({ field }: CallProblem): boolean => field !== undefined && Object.hasOwn(draft, field)
  const elsewhere = problems.find((problem) => !isAtField(problem))

  return (
    <Dialog
      title={site === null ? t('form.addTitle') : t('form.editTitle', { name: site.name })}
      size="large"
      initialFocus={lacksSecret ? secretInput : undefined}
      onClose={leave}
    >
      {elsewhere !== undefined && <Banner tone="danger" text={problemText(elsewhere)} />}
      <DialogForm
        onSubmit={() => void submit()}
        actions={
          question ?? (
            <>
              {site !== null && <RemoveButton onClick={() => show({ kind: 'remove', site })} />}
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
          problems={problems}
          secretInput={secretInput}
          onChange={change}
        />
      </DialogForm>
    </Dialog>
  )
}

const RemoveButton = ({ onClick }: { readonly onClick: () => void }) => {
  const { t } = useTranslation('sites')
  return (
    <Button look="quiet" isFlush style={{ marginInlineEnd: 'auto' }} onClick={onClick}>
      {t('form.removeStart')}
    </Button>
  )
}
