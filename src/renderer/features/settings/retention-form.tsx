import type { AppSettings } from '@galley/library/records'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { useForm } from '../../stores/form.ts'
import type { FieldErrors } from '../../stores/form.ts'
import { Button } from '../../ui/button.tsx'
import { Fields } from '../../ui/field.tsx'
import { FormGroup } from '../../ui/group.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { PruneOutcome } from './prune-outcome.tsx'
import { usePrune } from './prune.ts'
import type { SettingsState } from './store.ts'
import { wholeNumber } from './whole-number.ts'

/** Form input for both figures. */
interface RetentionDraft {
  readonly versions: string
  readonly days: string
}

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
  const read = ({ versions, days }: RetentionDraft): Result<AppSettings['retention'], FieldErrors<RetentionDraft>> => {
    const keepVersions = wholeNumber(versions, versionsRange.from, versionsRange.to)
    const keepDays = wholeNumber(days, daysRange.from, daysRange.to)
    return keepVersions !== 'wrong' && keepDays !== 'wrong'
      ? ok({ keepVersions, keepDays })
      : fail({
          ...(keepVersions === 'wrong' && { versions: t('wrongNumber', versionsRange) }),
          ...(keepDays === 'wrong' && { days: t('wrongNumber', daysRange) }),
        })
  }
  const form = useForm({
    about: 'retention',
    kept: { versions: typed(retention.keepVersions), days: typed(retention.keepDays) },
    isWhole: true,
    isQuiet: true,
    saved: t('saved'),
    read,
    save: (next) => change({ retention: next }),
    onEdit: () => {
      if (pruning.kind !== 'idle') reset()
    },
  })
  const showPreview = (): void => {
    const next = read(form.draft)
    if (form.judge() && next.ok) void preview(next.value)
  }
  return (
    <>
      <FormGroup
        title={t('storage.retention')}
        text={t('storage.retentionText')}
        submit={t('save')}
        form={form}
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
            inputMode="numeric"
            {...form.bind('versions')}
          />
          <TextField
            label={t('storage.keepDays')}
            hint={t('storage.keepDaysHint')}
            inputMode="numeric"
            {...form.bind('days')}
          />
        </Fields>
      </FormGroup>
      <PruneOutcome />
    </>
  )
}
