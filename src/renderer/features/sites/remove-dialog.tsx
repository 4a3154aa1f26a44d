import { useState } from 'react'

import type { SiteSummary } from '../../../contract/site.ts'
import { texts } from '../../texts.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import type { SitesState } from './store.ts'

const words = texts.sites.removing

interface Props {
  readonly site: SiteSummary
  readonly remove: SitesState['remove']
  readonly show: SitesState['show']
}

/** Asks before a site is removed, naming it; the focus starts on Cancel. */
export function RemoveDialog({ site, remove, show }: Props) {
  const [problem, setProblem] = useState<string | null>(null)
  const close = (): void => show({ kind: 'closed' })
  const submit = async (): Promise<void> => {
    const removed = await remove(site.id)
    if (!removed.ok) setProblem(removed.failure.message)
  }
  return (
    <Dialog title={words.title(site.name, texts.sites.environmentNames[site.environment])} onClose={close}>
      {problem !== null && <Banner tone="danger" text={problem} />}
      <DialogForm
        onSubmit={() => void submit()}
        actions={
          <>
            <Button autoFocus onClick={close}>
              {texts.cancel}
            </Button>
            <Button look="danger" type="submit">
              {words.confirm(site.name)}
            </Button>
          </>
        }
      >
        <p>{words.text(site.name)}</p>
      </DialogForm>
    </Dialog>
  )
}
