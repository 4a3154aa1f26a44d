import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { PublishingChanges } from '../../../contract/ipc/pages.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { draftIn } from '../../stores/drafts.ts'
import { useDesign, useDesignDrafts } from './store.ts'
import type { DesignDraft } from './store.ts'

/** What is typed in one of the forms, and what became of saving it. */
export function useForm<Part extends keyof DesignDraft>(part: Part) {
  const { t } = useTranslation('design')
  const problemText = useProblemText()
  const { site, save } = useDesign()
  const { draft, setDraft } = draftIn<DesignDraft>(useDesignDrafts(), site ?? '', {})
  const [outcome, setOutcome] = useState<{ readonly isRefused: boolean; readonly text: string } | null>(null)
  const typed = draft[part]
  const { [part]: _, ...others } = draft
  return {
    typed,
    outcome: outcome?.text ?? (typed === undefined ? '' : t('unsaved')),
    isRefused: outcome?.isRefused ?? false,
    write(value: DesignDraft[Part]): void {
      setOutcome(null)
      setDraft({ ...draft, [part]: value })
    },
    /** Says that fields are wrong, which show it themselves. */
    refuse: (): void => setOutcome({ isRefused: true, text: t('checkFields') }),
    async submit(changes: PublishingChanges): Promise<void> {
      const done = await save(changes)
      if (done.ok) setDraft(others)
      setOutcome(
        done.ok ? { isRefused: false, text: t('saved') } : { isRefused: true, text: problemText(done.failure) },
      )
    },
  }
}
