import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../ipc/calls.ts'
import type { PublishingChanges } from '../../../ipc/pages.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { draftIn } from '../../stores/drafts.ts'
import { useDesign, useDesignDrafts } from './store.ts'
import type { DesignDraft } from './store.ts'

/** The input of a form, and the result of saving it. */
export function useForm<Part extends keyof DesignDraft>(part: Part) {
  const { t } = useTranslation('design')
  const problemText = useProblemText()
  const { site, save } = useDesign()
  const drafts = useDesignDrafts()
  const about = site ?? ''
  const { draft, setDraft } = draftIn<DesignDraft>(drafts, about, {})
  const [outcome, setOutcome] = useState<'saved' | 'wrong' | CallProblem | null>(null)
  const typed = draft[part]
  return {
    typed,
    outcome:
      outcome === null
        ? typed === undefined
          ? ''
          : t('unsaved')
        : outcome === 'saved'
          ? t('saved')
          : outcome === 'wrong'
            ? t('checkFields')
            : problemText(outcome),
    isRefused: outcome !== null && outcome !== 'saved',
    write(value: DesignDraft[Part]): void {
      setOutcome(null)
      setDraft({ ...draft, [part]: value })
    },
    /** Reports that fields are invalid; the fields show their problems. */
    refuse: (): void => setOutcome('wrong'),
    async submit(changes: PublishingChanges): Promise<void> {
      const done = await save(changes)
      if (!done.ok) return setOutcome(done.failure)
      // Text typed during the save is still unsaved.
      setOutcome(drafts.dropParts(about, { [part]: typed }) ? 'saved' : null)
    },
  }
}
