import { useState } from 'react'

import type { CallProblem } from '../../../contract/ipc.ts'
import type { SiteSummary } from '../../../contract/site.ts'
import { texts } from '../../texts.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { draftOf, emptyDraft, formOf } from './site-draft.ts'
import type { SiteDraft } from './site-draft.ts'
import { SiteFields } from './site-fields.tsx'
import type { SitesState } from './store.ts'

const words = texts.sites.form

interface Props {
  /** The site to change; null adds one. */
  readonly site: SiteSummary | null
  readonly save: SitesState['save']
  readonly show: SitesState['show']
}

/** Adds or changes a site; what main refuses is shown at its field, with everything typed still there. */
export function SiteDialog({ site, save, show }: Props) {
  const [draft, setDraft] = useState<SiteDraft>(site === null ? emptyDraft : draftOf(site))
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const [isSaving, setSaving] = useState(false)
  const close = (): void => show({ kind: 'closed' })
  const submit = async (): Promise<void> => {
    if (isSaving) return
    setSaving(true)
    setProblem(null)
    const saved = await save(formOf(draft))
    if (saved.ok) return
    setSaving(false)
    setProblem(saved.failure)
  }
  const isAtField = problem?.field !== undefined && Object.hasOwn(draft, problem.field)

  return (
    <Dialog title={site === null ? words.addTitle : words.editTitle(site.name)} size="large" onClose={close}>
      {problem !== null && !isAtField && <Banner tone="danger" text={problem.message} />}
      <DialogForm
        onSubmit={() => void submit()}
        actions={
          <>
            {site !== null && (
              <Button look="quiet" style={{ marginInlineEnd: 'auto' }} onClick={() => show({ kind: 'remove', site })}>
                {words.removeStart}
              </Button>
            )}
            <Button onClick={close}>{texts.cancel}</Button>
            <Button look="primary" type="submit" aria-disabled={isSaving}>
              {site === null ? words.submitAdd : words.submitEdit}
            </Button>
          </>
        }
      >
        <SiteFields
          draft={draft}
          secret={site?.secret ?? null}
          problem={isAtField ? problem : null}
          onChange={(change) => setDraft({ ...draft, ...change })}
        />
      </DialogForm>
    </Dialog>
  )
}
