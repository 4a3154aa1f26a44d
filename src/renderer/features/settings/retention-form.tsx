import type { AppSettings, PruneReport } from '@galley/library/records'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { titleOf } from '../../domain/material-title.ts'
import { ProblemLine } from '../../domain/means.tsx'
import { SafetyBar } from '../../domain/safety-copy.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { useForm } from '../../stores/form.ts'
import type { FieldErrors } from '../../stores/form.ts'
import { Button } from '../../ui/button.tsx'
import { Fields } from '../../ui/field.tsx'
import { Bar, FormGroup, Group } from '../../ui/group.tsx'
import table from '../../ui/table.module.css'
import { TextField } from '../../ui/text-field.tsx'
import words from '../../ui/words.module.css'
import { usePrune } from './deletion.ts'
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

/** The preview of a deletion, and its result. */
function PruneOutcome() {
  const { t } = useTranslation('settings')
  const formats = useFormats()
  const { deletion, run } = usePrune()
  return (
    <Group role="status">
      {deletion.kind === 'failed' && <ProblemLine problem={deletion.problem} />}
      {deletion.kind === 'done' && (
        <p>{t('storage.removed', { count: deletion.report.versions, size: formats.size(deletion.report.bytes) })}</p>
      )}
      {deletion.kind === 'previewed' && <Preview report={deletion.report} onRemove={() => void run()} />}
    </Group>
  )
}

interface PreviewProps {
  readonly report: PruneReport
  readonly onRemove: () => void
}

function Preview({ report, onRemove }: PreviewProps) {
  const { t } = useTranslation(['settings', 'versions'])
  const formats = useFormats()
  const isOfSeveralSites = new Set(report.list.map(({ site }) => site)).size > 1
  const more = report.versions - report.list.length
  const kept = Object.values(report.protected).reduce((sum, count) => sum + count, 0)
  return (
    <>
      <p>
        {report.versions === 0
          ? t('storage.nothing')
          : t('storage.found', { count: report.versions, size: formats.size(report.bytes) })}
      </p>
      {kept > 0 && <p className={words.meta}>{t('storage.protected', { count: kept })}</p>}
      {report.versions > 0 && (
        <>
          <table aria-label={t('storage.list')} className={table.table}>
            <thead>
              <tr>
                {isOfSeveralSites && <th scope="col">{t('storage.site')}</th>}
                <th scope="col">{t('storage.material')}</th>
                <th scope="col">{t('storage.version')}</th>
                <th scope="col">{t('storage.savedAt')}</th>
                <th scope="col" className={table.number}>
                  {t('storage.size')}
                </th>
              </tr>
            </thead>
            <tbody>
              {report.list.map(({ site, materialId, versionId, number, title, receivedAt, sizeBytes }) => (
                <tr key={`${site} ${materialId} ${versionId}`}>
                  {isOfSeveralSites && <td>{site}</td>}
                  <td>{titleOf({ title, materialId })}</td>
                  <td>{t('versions:number', { number })}</td>
                  <td>{formats.dayAndMinute(receivedAt)}</td>
                  <td className={table.number}>{formats.size(sizeBytes)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {more > 0 && <p className={words.meta}>{t('storage.more', { count: more })}</p>}
          <SafetyBar />
          <Bar>
            <Button look="danger" onClick={onRemove}>
              {t('storage.remove', { count: report.versions })}
            </Button>
          </Bar>
        </>
      )}
    </>
  )
}

/** How many old versions are kept, with a preview and deletion of the rest. */
export function RetentionForm({ settings: { retention }, change }: Props) {
  const { t } = useTranslation('settings')
  const { deletion, preview, reset } = usePrune()
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
      if (deletion.kind !== 'idle') reset()
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
          <Button aria-disabled={deletion.kind === 'running'} onClick={showPreview}>
            {deletion.kind === 'running' ? t('storage.previewing') : t('storage.preview')}
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
