import { useTranslation } from 'react-i18next'

import type { Finding } from '../../../contract/domain/care-reports.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Status } from '../../ui/status.tsx'
import words from '../../ui/words.module.css'
import styles from './health.module.css'

const shownFindings = 100

/** The findings of a library check and what became of each. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const { t } = useTranslation('health')
  const formats = useFormats()
  const more = findings.length - shownFindings
  return (
    <section className={styles.findings}>
      <h3 className={styles.findingsTitle}>{t('check.findings')}</h3>
      <ul>
        {findings.slice(0, shownFindings).map((finding) => {
          const { kind, file, usedBy, detail } = finding
          const materials = [...new Set(usedBy.map(({ site, materialId }) => materialId ?? site))]
          return (
            <li key={`${kind} ${file ?? ''} ${detail}`} className={styles.finding}>
              <span>{t(`check.kinds.${kind}`)}</span>
              <Outcome finding={finding} />
              {file !== null && <span className={`${words.code} ${styles.file}`}>{file}</span>}
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

function Outcome({ finding: { fixed, fixable } }: { readonly finding: Finding }) {
  const { t } = useTranslation('health')
  if (fixed) return <Status tone="success" word={t('check.fixed')} />
  return fixable ? <Status tone="warning" word={t('check.fixable')} /> : <Status tone="danger" word={t('check.lost')} />
}
