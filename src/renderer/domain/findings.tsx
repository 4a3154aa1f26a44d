import type { BrokenLink, ReferenceFindings } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { causeIn } from '../i18n/cause-text.tsx'
import { Lines } from '../ui/lines.tsx'
import { Status } from '../ui/status.tsx'
import words from '../ui/words.module.css'

/** The result of the link check: how many links work, and each one that does not. */
export function Findings({ findings }: { readonly findings: ReferenceFindings }) {
  const { t } = useTranslation('exports')
  const { checked, broken, list } = findings
  // Nothing is shown for a bundle without links, or without a link check.
  if (checked === 0) return null
  if (broken === 0) return <Status tone="success" word={t('findings.fine', { count: checked })} />
  return (
    <section aria-label={t('findings.title')}>
      <Status tone="warning" word={t('findings.broken', { count: broken })} />
      <BrokenReferences list={list} all={broken} />
    </section>
  )
}

/** The facts of all reasons; each text uses those of its reason. */
const noFacts = { path: '', anchor: '', host: '', material: '', status: '' }

/** Broken links, each with its place and its reason; `all` is their number, including those that are not listed. */
export function BrokenReferences({ list, all }: { readonly list: readonly BrokenLink[]; readonly all: number }) {
  const { t, i18n } = useTranslation('exports')
  const causes = i18n.getFixedT(i18n.language, 'causes')
  return (
    <>
      <Lines>
        {list.map(({ page, ref, reason, place }) => (
          <li key={`${page} ${ref} ${reason.code}`}>
            <div className={words.code}>{ref}</div>
            <div>
              {t(`findings.reasons.${reason.code}`, {
                ...noFacts,
                ...reason,
                why: 'why' in reason ? causeIn(reason.why, causes) : '',
              })}
            </div>
            <div className={words.meta}>
              {place ? t('findings.place', { page, ...place }) : t('findings.where', { page })}
            </div>
          </li>
        ))}
      </Lines>
      {list.length < all && <p className={words.meta}>{t('findings.more', { count: all - list.length })}</p>}
    </>
  )
}
