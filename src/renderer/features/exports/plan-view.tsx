import { useTranslation } from 'react-i18next'

import type { ExportPlan } from '../../../contract/ipc/exports.ts'
import { titleOf } from '../../domain/material-title.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Banner } from '../../ui/banner.tsx'
import { Lines } from '../../ui/lines.tsx'
import words from '../../ui/words.module.css'
import { Findings } from './findings.tsx'
import { LeftOutList, VerdictStatus } from './left-out.tsx'
import styles from './exports.module.css'

/** Longer lists are searched in Materials, by verdict too. */
const pagesAtMost = 1_000

/** What an export would do to its target; nothing was written yet. */
export function PlanView({ plan }: { readonly plan: ExportPlan }) {
  const { t } = useTranslation('exports')
  const formats = useFormats()
  const { counts } = plan
  const filesAndSize = t('filesAndSize', { count: counts.files, size: formats.size(counts.bytes) })
  const isNothing = counts.added + counts.changed + counts.removed === 0
  const rejected = plan.pages.filter(({ verdict }) => verdict === 'rejected').length
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
      {rejected > 0 && <Banner tone="warning" text={t('plan.rejected', { count: rejected })} />}
      <LeftOutList leftOut={plan.leftOut} />
      <details className={styles.group} open={plan.pages.length <= 12}>
        <summary>{t('pagesIn', { count: plan.pages.length })}</summary>
        <Lines>
          {plan.pages.slice(0, pagesAtMost).map(({ materialId, title, path, verdict, change }) => (
            <li key={path} className={styles.chosen}>
              <span className={styles.chosenTitle}>
                {titleOf({ materialId, title })}
                <span className={styles.pageTitle}>{t(`plan.pageChange.${change}`)}</span>
              </span>
              <VerdictStatus verdict={verdict} />
            </li>
          ))}
        </Lines>
        {plan.pages.length > pagesAtMost && (
          <p className={words.meta}>{t('plan.more', { count: plan.pages.length - pagesAtMost })}</p>
        )}
      </details>
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
