import { useTranslation } from 'react-i18next'

import type { ExportPlan } from '../../../contract/ipc/exports.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Findings } from './findings.tsx'
import words from '../../ui/words.module.css'
import styles from './exports.module.css'

/** What an export would do to its target; nothing was written yet. */
export function PlanView({ plan }: { readonly plan: ExportPlan }) {
  const { t } = useTranslation('exports')
  const formats = useFormats()
  const { counts } = plan
  const filesAndSize = t('filesAndSize', { count: counts.files, size: formats.size(counts.bytes) })
  const isNothing = counts.added + counts.changed + counts.removed === 0
  const titles = new Map(plan.pages.map(({ path, title }) => [path, title]))
  const groups = [
    ['added', plan.added, counts.added],
    ['changed', plan.changed, counts.changed],
    ['removed', plan.removed, counts.removed],
  ] as const
  return (
    <>
      <div>
        <p>{t('plan.summary', { pages: t('pagesIn', { count: plan.pages.length }), files: filesAndSize })}</p>
        <p className={words.meta}>
          {isNothing ? t('plan.nothing') : t('plan.stay', { count: counts.unchanged })} {t('plan.notYet')}
        </p>
      </div>
      {groups.map(
        ([kind, paths, count]) =>
          count > 0 && (
            <details key={kind} className={styles.group} open={count <= 12}>
              <summary>{t(`plan.${kind}`, { count })}</summary>
              <ul className={`${styles.paths} ${styles[kind]}`}>
                {paths.map((path) => (
                  <li key={path} className={words.code}>
                    {path}
                    {titles.has(path) && <span className={styles.pageTitle}>{titles.get(path)}</span>}
                  </li>
                ))}
              </ul>
              {paths.length < count && <p className={words.meta}>{t('plan.more', { count: count - paths.length })}</p>}
            </details>
          ),
      )}
      <Findings findings={plan.references} />
    </>
  )
}
