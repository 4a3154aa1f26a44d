import type { BundlePlan } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'

import { thumbnailUrl } from '../../ipc/thumbnail-url.ts'
import { useFormats } from '../i18n/formats.ts'
import { Banner } from '../ui/banner.tsx'
import { FilePath } from '../ui/for-developers.ts'
import { Lines } from '../ui/lines.tsx'
import { Pictured } from '../ui/pictured.tsx'
import { Status } from '../ui/status.tsx'
import { TwoLines } from '../ui/two-lines.tsx'
import words from '../ui/words.module.css'
import { Findings } from './findings.tsx'
import { LeftOutList, VerdictStatus } from './left-out.tsx'
import { titleOf } from './material-title.ts'
import styles from './plan.module.css'

/** Longer lists are searched in Materials, by verdict too. */
const pagesAtMost = 1_000
/** More would push the changes out of sight; each page shows its own in Pages. */
const notedAtMost = 12

interface Props {
  readonly site: SiteId
  readonly plan: BundlePlan
}

/** What an export or a publication would do to its target; nothing was written yet. */
export function PlanView({ site, plan }: Props) {
  const { t } = useTranslation('exports')
  const formats = useFormats()
  const { counts } = plan
  const filesAndSize = t('filesAndSize', { count: counts.files, size: formats.size(counts.bytes) })
  const isNothing = counts.added + counts.changed + counts.removed === 0
  const rejected = plan.pages.filter(({ verdict }) => verdict === 'changes_requested').length
  const notes = useNotes(plan)
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
      <PageNotes plan={plan} />
      <PlannedPages site={site} plan={plan} />
      {groups.map(
        ([kind, paths, count]) =>
          count > 0 && (
            <details key={kind} className={styles.group} open={count <= 12}>
              <summary>{t(`plan.${kind}`, { count })}</summary>
              <ul className={`${styles.paths} ${styles[kind]}`}>
                {paths.map((path) => (
                  <li key={path} className={words.code}>
                    <FilePath path={path} />
                    {notes(path).map((note) => (
                      <span key={note} className={styles.pageTitle}>
                        {note}
                      </span>
                    ))}
                  </li>
                ))}
              </ul>
              {paths.length < count && <p className={words.meta}>{t('plan.more', { count: count - paths.length })}</p>}
            </details>
          ),
      )}
      {plan.references !== null && <Findings findings={plan.references} />}
    </>
  )
}

/** Notes for the authors of pages. */
function PageNotes({ plan: { pages } }: Pick<Props, 'plan'>) {
  const { t } = useTranslation('exports')
  const noted = pages.filter(({ notes }) => notes.length > 0)
  if (noted.length === 0) return null
  return (
    <section aria-label={t('plan.notedTitle')}>
      <Status tone="warning" word={t('plan.noted', { count: noted.length })} />
      <Lines>
        {noted.slice(0, notedAtMost).map(({ materialId, title, notes }) => (
          <li key={materialId}>
            <div>{titleOf({ materialId, title })}</div>
            {notes.map((note) => (
              <Fragment key={note.code}>
                <div className={words.code}>
                  {note.code === 'social_image_gone' ? note.image : note.parts.join(', ')}
                </div>
                <div className={words.meta}>{t(`plan.notes.${note.code}`)}</div>
              </Fragment>
            ))}
          </li>
        ))}
      </Lines>
      {noted.length > notedAtMost && (
        <p className={words.meta}>{t('plan.more', { count: noted.length - notedAtMost })}</p>
      )}
    </section>
  )
}

/** The address of a page, from its file. */
const addressOf = (path: string): string => path.replace(/index\.html$/, '')

/** The text after the path of a file. */
function useNotes({ pages, reasons }: BundlePlan): (path: string) => readonly string[] {
  const { t } = useTranslation('exports')
  const notes = new Map<string, string[]>()
  const note = (path: string, text: string): void => void notes.set(path, [...(notes.get(path) ?? []), text])
  for (const { path, title, movedFrom } of pages) {
    note(path, title)
    if (movedFrom === null) continue
    note(path, t('plan.movedFrom', { from: addressOf(movedFrom) }))
    note(movedFrom, t('plan.redirects', { to: addressOf(path) }))
  }
  for (const [path, reason] of Object.entries(reasons ?? {})) note(path, t(`plan.reasons.${reason}`))
  return (path) => notes.get(path) ?? []
}

/** Pages that change, each with its picture, and those that stay, folded. */
function PlannedPages({ site, plan: { pages } }: Props) {
  const { t } = useTranslation('exports')
  const groups = [
    ['pagesChanging', pages.filter(({ change }) => change !== 'unchanged')],
    ['pagesStaying', pages.filter(({ change }) => change === 'unchanged')],
  ] as const
  return groups.map(
    ([kind, group]) =>
      group.length > 0 && (
        <details key={kind} className={styles.group} open={kind === 'pagesChanging' && group.length <= 12}>
          <summary>{t(`plan.${kind}`, { count: group.length })}</summary>
          <Lines>
            {group.slice(0, pagesAtMost).map(({ materialId, versionId, title, path, verdict, change, movedFrom }) => (
              <li key={path} className={styles.page}>
                {kind === 'pagesStaying' ? (
                  <span>{titleOf({ materialId, title })}</span>
                ) : (
                  <Pictured src={thumbnailUrl({ site, materialId, versionId })}>
                    <TwoLines
                      first={titleOf({ materialId, title })}
                      second={
                        movedFrom === null
                          ? t(`plan.pageChange.${change}`)
                          : t('plan.moved', { from: addressOf(movedFrom) })
                      }
                    />
                  </Pictured>
                )}
                <VerdictStatus verdict={verdict} />
              </li>
            ))}
          </Lines>
          {group.length > pagesAtMost && (
            <p className={words.meta}>{t('plan.more', { count: group.length - pagesAtMost })}</p>
          )}
        </details>
      ),
  )
}
