import { keysIn } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import type { KitReport } from '../../../ipc/developer.ts'
import { reportFormats } from '../../../ipc/developer.ts'
import { Button } from '../../ui/button.tsx'
import { ForDevelopers } from '../../ui/for-developers.ts'
import { Bar, Group } from '../../ui/group.tsx'
import { Status } from '../../ui/status.tsx'
import type { Tone } from '../../ui/status.tsx'
import table from '../../ui/table.module.css'
import words from '../../ui/words.module.css'
import styles from './developer.module.css'
import { useDeveloper } from './store.ts'

type Outcome = KitReport['outcomes'][number]

/** Most severe first. */
const severities = { 'breaks the contract': 'contract', unsafe: 'unsafe', unwise: 'unwise' } as const

/** The most severe first, then what was not judged. */
const rank = ({ result, case: { severity } }: Outcome): number =>
  result === 'failed' ? keysIn(severities).indexOf(severity) : keysIn(severities).length

/** The result of the last run, in a table with what to do, and ways to save it. */
export function KitReportView({ report }: { readonly report: KitReport }) {
  const { t } = useTranslation('developer')
  const { savedTo, save } = useDeveloper()
  const { outcomes, isPassing, cutShort, callbackUrl } = report
  const stored = report.stored.reduce((sum, { times }) => sum + times, 0)
  const passed = outcomes.filter(({ result }) => result === 'passed')
  const others = outcomes.filter(({ result }) => result !== 'passed').toSorted((a, b) => rank(a) - rank(b))
  return (
    <Group title={t('report.title')}>
      <div role="status">
        <p>{t('report.of', { url: callbackUrl })}</p>
        <Status tone={isPassing ? 'success' : 'danger'} word={t(isPassing ? 'report.passing' : 'report.failing')} />
        {cutShort !== null && <p>{t('report.cutShort')}</p>}
        {stored > 0 && <p>{t('report.stored', { count: stored })}</p>}
      </div>
      <Bar>
        {reportFormats.map((format) => (
          <Button key={format} onClick={() => void save(format)}>
            {t(`report.save.${format}`)}
          </Button>
        ))}
        <span role="status" className={words.meta}>
          {savedTo !== null && t('report.saved', { path: savedTo })}
        </span>
      </Bar>
      {others.length > 0 && <Cases label={t('report.problems')} outcomes={others} />}
      {passed.length > 0 && (
        <details>
          <summary>{t('report.passed', { count: passed.length })}</summary>
          <Cases label={t('report.passed', { count: passed.length })} outcomes={passed} />
        </details>
      )}
    </Group>
  )
}

const toneOf = ({ result, case: { severity } }: Outcome): Tone => {
  if (result !== 'failed') return result === 'passed' ? 'success' : 'neutral'
  return severity === 'unwise' ? 'warning' : 'danger'
}

function Cases({ label, outcomes }: { readonly label: string; readonly outcomes: readonly Outcome[] }) {
  const { t } = useTranslation('developer')
  return (
    <table aria-label={label} className={table.table}>
      <thead>
        <tr>
          <th className={styles.result}>{t('report.columns.result')}</th>
          <th>{t('report.columns.case')}</th>
          <th>{t('report.columns.advice')}</th>
        </tr>
      </thead>
      <tbody>
        {outcomes.map((each) => (
          <tr key={each.case.id}>
            <td>
              <Status
                tone={toneOf(each)}
                word={
                  each.result === 'failed'
                    ? t(`report.severities.${severities[each.case.severity]}`)
                    : t(`report.results.${each.result}`)
                }
              />
            </td>
            <td lang="en">
              {each.case.name}
              <p className={words.code}>{each.case.id}</p>
            </td>
            <td>
              <Advice each={each} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What to do, in the words of the kit, which are English. */
function Advice({ each }: { readonly each: Outcome }) {
  const { t } = useTranslation('developer')
  const { result, expected, got, reason, evidence = [] } = each
  if (reason !== null || result === 'passed') return <span lang="en">{reason ?? got}</span>
  return (
    <>
      <p>
        {t('report.got')} <span lang="en">{got}</span>
      </p>
      {expected !== got && (
        <p>
          {t('report.expected')} <span lang="en">{expected}</span>
        </p>
      )}
      <p lang="en" className={words.meta}>
        {each.case.rule}
      </p>
      <ForDevelopers>
        {evidence.map((line) => (
          <p key={line} lang="en" className={words.code}>
            {line}
          </p>
        ))}
      </ForDevelopers>
    </>
  )
}
