import type { AppSettings } from '@galley/library/records'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { createStoreContext } from '../../context/provided.ts'
import { draftIn } from '../../stores/drafts.ts'
import type { DraftsState } from '../../stores/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Fields } from '../../ui/field.tsx'
import { FormGroup } from '../../ui/group.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { PruneOutcome } from './prune-outcome.tsx'
import { usePrune } from './prune.ts'
import type { SettingsState } from './store.ts'
import { wholeNumber } from './whole-number.ts'

/** Form input for both figures. */
export interface RetentionDraft {
  readonly versions: string
  readonly days: string
}

const [useRetentionDrafts, provideRetentionDrafts] =
  createStoreContext<DraftsState<RetentionDraft>>('drafts of the retention')
export { provideRetentionDrafts }

interface Props extends Pick<SettingsState, 'change'> {
  readonly settings: AppSettings
}

const versionsRange = { from: 1, to: 100_000 } as const
const daysRange = { from: 1, to: 36_500 } as const
const typed = (value: number | null): string => (value === null ? '' : String(value))

/** How many old versions are kept, with a preview and deletion of the rest. */
export function RetentionForm({ settings: { retention }, change }: Props) {
  const { t } = useTranslation('settings')
  const { pruning, preview, reset } = usePrune()
  const { draft, isTyped, setDraft, dropDraft } = draftIn(useRetentionDrafts(), 'retention', {
    versions: typed(retention.keepVersions),
    days: typed(retention.keepDays),
  })
  const [state, setState] = useState<'editing' | 'checked' | 'saved'>('editing')
  const keepVersions = wholeNumber(draft.versions, versionsRange.from, versionsRange.to)
  const keepDays = wholeNumber(draft.days, daysRange.from, daysRange.to)
  const parsedRetention = (): AppSettings['retention'] | null => {
    setState('checked')
    return keepVersions === 'wrong' || keepDays === 'wrong' ? null : { keepVersions, keepDays }
  }
  const edit = (changed: Partial<typeof draft>): void => {
    setDraft({ ...draft, ...changed })
    setState('editing')
    if (pruning.kind !== 'idle') reset()
  }
  const submit = async (): Promise<void> => {
    const next = parsedRetention()
    if (next === null || !(await change({ retention: next }))) return
    // Text typed during the save is still unsaved.
    setState(dropDraft() ? 'saved' : 'editing')
  }
  const showPreview = (): void => {
    const next = parsedRetention()
    if (next !== null) void preview(next)
  }
  const isJudged = state !== 'editing'
  return (
    <>
      <FormGroup
        title={t('storage.retention')}
        text={t('storage.retentionText')}
        submit={t('save')}
        outcome={isTyped ? t('unsaved') : state === 'saved' ? t('saved') : ''}
        onSubmit={() => void submit()}
        more={
          <Button aria-disabled={pruning.kind === 'running'} onClick={showPreview}>
            {pruning.kind === 'running' ? t('storage.previewing') : t('storage.preview')}
          </Button>
        }
      >
        <Fields>
          <TextField
            label={t('storage.keepVersions')}
            hint={t('storage.keepVersionsHint')}
            error={isJudged && keepVersions === 'wrong' ? t('wrongNumber', versionsRange) : undefined}
            inputMode="numeric"
            value={draft.versions}
            onChange={(versions) => edit({ versions })}
          />
          <TextField
            label={t('storage.keepDays')}
            hint={t('storage.keepDaysHint')}
            error={isJudged && keepDays === 'wrong' ? t('wrongNumber', daysRange) : undefined}
            inputMode="numeric"
            value={draft.days}
            onChange={(days) => edit({ days })}
          />
        </Fields>
      </FormGroup>
      <PruneOutcome />
    </>
  )
}
