import type { PruneReport } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { titleOf } from '../../domain/material-title.ts'
import { ProblemLine } from '../../domain/means.tsx'
import { SafetyBar } from '../../domain/safety-copy.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Bar, Group } from '../../ui/group.tsx'
import table from '../../ui/table.module.css'
import words from '../../ui/words.module.css'
import { usePrune } from './prune.ts'

/** The preview of a deletion, and its result. */
export function PruneOutcome() {
  const { t } = useTranslation('settings')
  const formats = useFormats()
  const { pruning, prune } = usePrune()
  return (
    <Group role="status">
      {pruning.kind === 'failed' && <ProblemLine problem={pruning.problem} />}
      {pruning.kind === 'pruned' && (
        <p>{t('storage.removed', { count: pruning.report.versions, size: formats.size(pruning.report.bytes) })}</p>
      )}
      {pruning.kind === 'previewed' && <Preview report={pruning.report} onRemove={() => void prune()} />}
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
