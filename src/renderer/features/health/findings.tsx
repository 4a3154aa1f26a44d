import type { Finding, FindingFacts } from '@galley/library/records'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

import { causeIn } from '../../i18n/cause-text.tsx'
import type { Formats } from '../../i18n/formats.ts'
import { useFormats } from '../../i18n/formats.ts'
import { ForDevelopers } from '../../ui/for-developers.ts'
import { Status } from '../../ui/status.tsx'
import words from '../../ui/words.module.css'
import styles from './health.module.css'

const shownFindings = 100

/** The findings of a library check and what became of each. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const { t, i18n } = useTranslation('health')
  const causes = i18n.getFixedT(i18n.language, 'causes')
  const formats = useFormats()
  const more = findings.length - shownFindings
  return (
    <section className={styles.findings}>
      <h3 className={styles.findingsTitle}>{t('check.findings')}</h3>
      <ul>
        {findings.slice(0, shownFindings).map((finding) => {
          const { kind, facts, file, usedBy } = finding
          const text = factsText(facts, { t, causes, formats })
          const materials = [...new Set(usedBy.map(({ site, materialId }) => materialId ?? site))]
          return (
            <li key={`${kind} ${file ?? ''} ${JSON.stringify(facts)}`} className={styles.finding}>
              <span>{t(`check.kinds.${kind}`)}</span>
              <Outcome finding={finding} />
              {text !== null && <span className={words.meta}>{text}</span>}
              <ForDevelopers>
                {file !== null && <span className={`${words.code} ${styles.file}`}>{file}</span>}
              </ForDevelopers>
              {materials.length > 0 && (
                <span className={words.meta}>{t('check.usedBy', { materials: formats.list(materials) })}</span>
              )}
            </li>
          )
        })}
      </ul>
      {more > 0 && <p className={words.meta}>{t('check.more', { count: more })}</p>}
    </section>
  )
}

interface Texts {
  readonly t: TFunction<'health'>
  readonly causes: TFunction<'causes'>
  readonly formats: Formats
}

/** The facts that the kind of a finding does not show; null if there are none. */
function factsText(facts: FindingFacts, { t, causes, formats }: Texts): string | null {
  switch (facts.code) {
    case 'entries': {
      const { from, upTo } = facts
      const state = t(`check.entryStates.${facts.state}`)
      return from === upTo ? t('check.facts.entry', { from, state }) : t('check.facts.entries', { from, upTo, state })
    }
    case 'skipped': {
      const { position, why } = facts
      return why === '' ? t('check.facts.skippedWhole', { position }) : t('check.facts.skippedValue', { position, why })
    }
    case 'rows_differ':
      return t('check.facts.rows', { count: facts.rows, table: facts.table })
    case 'line_ends':
      return t('check.facts.lineEnds', { count: facts.segments })
    case 'references':
      return t('check.facts.references', { all: facts.all, names: formats.list(facts.names) })
    case 'marker':
      return t(facts.isMissing ? 'check.facts.markerMissing' : 'check.facts.markerForeign')
    case 'checkpoint':
      return t(facts.isMissing ? 'check.facts.checkpointMissing' : 'check.facts.checkpointDamaged')
    case 'file':
      return facts.inBucket ? t('check.facts.inBucket') : null
    case 'cause':
      return causeIn(facts.reason, causes)
    case 'table_damaged':
    case 'index_of_other_log':
    case 'search_outdated':
    case 'file_unused':
    case 'leftover':
      return null
  }
}

function Outcome({ finding: { kind, fixed, fixable } }: { readonly finding: Finding }) {
  const { t } = useTranslation('health')
  if (kind === 'entry_skipped') return <Status tone="warning" word={t('check.skipped')} />
  if (fixed) return <Status tone="success" word={t('check.fixed')} />
  return fixable ? <Status tone="warning" word={t('check.fixable')} /> : <Status tone="danger" word={t('check.lost')} />
}
