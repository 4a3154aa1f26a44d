import type { SiteSummary } from '@galley/library/records'
import { fail, keysIn, ok } from '@galley/wire'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { FormDialog } from '../../domain/form-dialog.tsx'
import { useProblemText } from '../../i18n/problem-text.ts'
import { namedField, useForm } from '../../stores/form.ts'
import { Button } from '../../ui/button.tsx'
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
  const { t } = useTranslation('sites')
  const problemText = useProblemText()
  const derive = (draft: SiteDraft, typed: Partial<SiteDraft>): SiteDraft =>
    site === null ? derived(draft, new Set(keysIn(typed)), listenerUrl) : draft
  const form = useForm({
    kept: derive(site === null ? emptyDraft : draftOf(site), {}),
    derive,
    read: (draft) => {
      // The first problem of a field is shown; those of no field are left to main.
      const wrong = problemsIn(draft).flatMap((problem) => {
        const field = namedField(problem, draft)
        return field === null ? [] : [[field, problemText(problem)] as const]
      })
      return wrong.length === 0 ? ok(formOf(draft)) : fail(Object.fromEntries(wrong.toReversed()))
    },
    save,
    // The address says that it is plain http until that is allowed.
    fieldOf: (problem, draft) => (problem.state === 'plain_http' ? 'allowHttp' : namedField(problem, draft)),
    messageStays: 'untilItsEdit',
  })
  const close = (): void => show({ kind: 'closed' })
  // A site without a usable secret is opened to enter one.
  const lacksSecret = site?.secret === 'missing' || site?.secret === 'changed'
  const secretInput = useRef<HTMLInputElement>(null)
  return (
    <FormDialog
      title={site === null ? t('form.addTitle') : t('form.editTitle', { name: site.name })}
      size="large"
      initialFocus={lacksSecret ? secretInput : undefined}
      submit={site === null ? t('form.submitAdd') : t('form.submitEdit')}
      isGuarded
      form={form}
      status={site !== null && <RemoveButton onClick={() => show({ kind: 'remove', site })} />}
      onClose={close}
    >
      <SiteFields
        form={form}
        secret={site?.secret ?? null}
        isServiceChanged={site !== null && form.draft.baseUrl.trim().replace(/\/+$/, '') !== site.baseUrl}
        secretInput={secretInput}
        port={listenerUrl === null ? '8787' : new URL(listenerUrl).port}
      />
    </FormDialog>
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
