import type { CallbackDetail } from '@galley/library/records'
import type { MaterialId, SiteId } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { useReason } from '../../domain/callback-reason.ts'
import { Means } from '../../domain/means.tsx'
import { useCauseText } from '../../i18n/cause-text.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import styles from './callback-parts.module.css'
import { OutcomeStatus } from './outcome.tsx'

/** Links to where the cause of a failure can be fixed. */
export interface FixActions {
  readonly onEditSite: (site: SiteId) => void
  /** Opens a material that the library does not know, which makes it known. */
  readonly onOpenUnknown: (site: SiteId, materialId: MaterialId) => void
  readonly onCheckSignature: () => void
  /** Makes the header in which it was signed rightly that of the site. */
  readonly onUseHeader: () => void
  readonly onHealth: () => void
  readonly onSettings: () => void
  readonly onOpenEditor: (site: SiteId, materialId: MaterialId) => void
  /** Sets a failed save aside. */
  readonly onDismiss: () => void
}

type Code = NonNullable<CallbackDetail['row']['code']>

const siteCodes: ReadonlySet<Code> = new Set<Code>([
  'refused',
  'secrets_unavailable',
  'site_unconfirmed',
  'foreign_content_url',
  'content_too_large',
  'domain_not_allowed',
])
const shownFacts = ['problem', 'reason', 'names', 'hosts', 'what', 'limit', 'versionId'] as const

/** A callback's outcome: what happened, what it means for the data, and what to do, with a link. */
export function Verdict({ detail, ...actions }: { readonly detail: CallbackDetail } & FixActions) {
  const { t } = useTranslation('reasons')
  const { outcome, rc, kind } = detail.callback
  const { code } = detail.row
  return (
    <section
      className={`${styles.verdict} ${styles[rc === 1 ? 'good' : code === 'refused' ? 'warned' : 'bad']}`}
      aria-label={t('whatToDo')}
    >
      <div className={styles.outcome}>
        <OutcomeStatus outcome={outcome} />
        {code === null && <Means code={`outcome:${outcome}`} />}
      </div>
      {code === null ? (
        <p className={styles.words}>
          {outcome === 'duplicate'
            ? t('success.duplicate')
            : t(kind === 'site_fonts_updated' ? 'success.stored_fonts' : 'success.stored')}
        </p>
      ) : (
        <Reason code={code} detail={detail} {...actions} />
      )}
    </section>
  )
}

interface ReasonProps extends FixActions {
  readonly code: Code
  readonly detail: CallbackDetail
}

function Reason({ code, detail, ...actions }: ReasonProps) {
  const { t } = useTranslation('reasons')
  const { why, fix } = useReason()(code, detail.facts)
  const causeOf = useCauseText()
  const formats = useFormats()
  /** A limit is in bytes or a number of files; no file count reaches 1e6. */
  const limitText = (limit: number): string => (limit >= 1e6 ? formats.size(limit) : formats.count(limit))
  // `why` already names the rule or status; an administrator's reason is part of the response.
  const known =
    code === 'refused' || detail.facts['status'] != null ? [] : shownFacts.filter((name) => detail.facts[name] != null)
  const fixActions = fixesFor(code, detail)
  return (
    <>
      <p className={styles.words}>{why}</p>
      {known.length > 0 && (
        <Facts
          facts={known.map((name) => ({
            name: t(`causes.${name}`),
            value: name === 'limit' ? limitText(Number(detail.facts[name])) : causeOf(detail.facts[name] ?? ''),
            isCode: true,
          }))}
        />
      )}
      <p className={styles.words}>{fix}</p>
      <div className={styles.fixes}>
        {fixActions.map((fixAction) => (
          <Button key={fixAction} onClick={() => actions[fixAction](detail.callback.site, detail.row.materialId ?? '')}>
            {t(`ways.${fixAction}`)}
          </Button>
        ))}
        <Means code={`callback:${code}`} hasWords />
      </div>
    </>
  )
}

/** The actions that fix the cause, the most likely one first, and those of a save that failed; empty if Galley has none. */
const fixesFor = (code: Code, detail: CallbackDetail): readonly (keyof FixActions)[] => [
  ...causeFixes(code, detail),
  ...editorFixes(detail),
  ...(detail.isOpenFailure ? (['onDismiss'] as const) : []),
]

/** A material that the library knows can be saved again in the editor. */
const editorFixes = ({ siteExists, callback, row }: CallbackDetail): readonly (keyof FixActions)[] =>
  siteExists && callback.signature === 'valid' && callback.kind === 'article_saved' && row.materialTitle !== null
    ? ['onOpenEditor']
    : []

function causeFixes(
  code: Code,
  { siteExists, canAdoptHeader, facts, row }: CallbackDetail,
): readonly (keyof FixActions)[] {
  if (code === 'invalid_signature') return canAdoptHeader ? ['onUseHeader', 'onCheckSignature'] : ['onCheckSignature']
  if (code === 'storage_failed') return ['onHealth']
  if (code === 'refused' && facts['rule'] !== 'unknown_material') return ['onSettings']
  if (!siteExists || !siteCodes.has(code)) return []
  const isUnknown = code === 'refused' && row.materialId !== null && row.materialTitle === null
  return isUnknown ? ['onOpenUnknown', 'onEditSite'] : ['onEditSite']
}
