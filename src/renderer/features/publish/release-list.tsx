import { ListTree, Undo2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'

import type { ReleaseContents, ReleaseRow, TargetRow } from '../../../ipc/publishing.ts'
import { Findings } from '../../domain/findings.tsx'
import { titleOf } from '../../domain/material-title.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Lines } from '../../ui/lines.tsx'
import { useRowMenu } from '../../ui/row-menu.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import words from '../../ui/words.module.css'
import styles from './publish.module.css'
import { useHistory } from './store.ts'

interface Props {
  readonly target: TargetRow
  /** Null while nothing may be published. */
  readonly onRollBack: ((release: ReleaseRow) => void) | null
}

/** The releases of a target, newest first. */
export function ReleaseList({ target, onRollBack }: Props) {
  const { t } = useTranslation('publish')
  const { view, show } = useHistory()
  useEffect(() => void show(target), [show, target])
  if (view.kind === 'loading') return <Skeleton rows={2} />
  if (view.kind === 'failed') return <Failed text={t('history.failed')} onRetry={() => void show(target)} />
  if (view.items.length === 0) return <p className={words.meta}>{t('history.none')}</p>
  return (
    <Lines label={t('history.title')}>
      {view.items.map((release) => (
        <Release key={release.releaseId} release={release} onRollBack={onRollBack} />
      ))}
    </Lines>
  )
}

interface ContentsProps {
  readonly release: ReleaseRow
  readonly ref: RefObject<HTMLDetailsElement | null>
}

/** The titles of its changed pages and its broken links; loaded on demand. */
function Contents({ release: { releaseId, broken, rollbackOf }, ref }: ContentsProps) {
  const { t } = useTranslation('publish')
  const { contents, read } = useHistory()
  const view = contents.get(releaseId)
  return (
    <details
      ref={ref}
      className={styles.contents}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) void read(releaseId)
      }}
    >
      <summary>
        <span>{t('history.contents')}</span>
        {broken !== null && broken > 0 && (
          <span className={styles.broken}>
            <Status tone="warning" word={t('history.broken', { count: broken })} />
          </span>
        )}
      </summary>
      {(view === undefined || view.kind === 'loading') && <Skeleton rows={2} />}
      {view?.kind === 'failed' && <Failed text={t('history.failed')} onRetry={() => void read(releaseId)} />}
      {view?.kind === 'ready' && (
        <>
          <ChangedPages pages={view.items.pages} />
          {view.items.references !== null ? (
            <Findings findings={view.items.references} />
          ) : (
            <p className={words.meta}>{t(rollbackOf === null ? 'history.linksNotKept' : 'history.linksOfRollback')}</p>
          )}
        </>
      )}
    </details>
  )
}

function ChangedPages({ pages }: Pick<ReleaseContents, 'pages'>) {
  const { t } = useTranslation('publish')
  if (pages === null) return <p className={words.meta}>{t('history.pagesNotKept')}</p>
  if (pages.length === 0) return <p className={words.meta}>{t('history.same')}</p>
  return (
    <Lines label={t('history.changedPages')}>
      {pages.map(({ materialId, title, change }) => (
        <li key={materialId} className={styles.changed}>
          <span>{titleOf({ materialId, title })}</span>
          <Badge tone="outlined" word={t(`history.pageChange.${change}`)} />
        </li>
      ))}
    </Lines>
  )
}

interface ReleaseProps extends Pick<Props, 'onRollBack'> {
  readonly release: ReleaseRow
}

function Release({ release, onRollBack }: ReleaseProps) {
  const { t } = useTranslation('publish')
  const formats = useFormats()
  const { at, by, pages, isCurrent, isKept, rollbackOf } = release
  const { added, changed, removed } = pages
  const isSame = added + changed + removed === 0
  const contents = useRef<HTMLDetailsElement>(null)
  const rollBack =
    isCurrent || !isKept || onRollBack === null
      ? null
      : { key: 'rollBack', label: t('history.rollBack'), icon: Undo2, onSelect: () => onRollBack(release) }
  const { row, menu } = useRowMenu([
    {
      key: 'contents',
      label: t('history.contents'),
      icon: ListTree,
      onSelect: () => contents.current?.toggleAttribute('open'),
    },
    ...(rollBack === null ? [] : [rollBack]),
  ])
  return (
    <li className={styles.release} {...row}>
      <div className={styles.what}>
        <div className={styles.when}>
          <span>{formats.exact(at)}</span>
          {isCurrent && <Badge word={t('history.current')} />}
          {rollbackOf !== null && <Badge tone="outlined" word={t('history.rolledBack')} />}
        </div>
        <div className={words.meta}>
          {[t('history.pages', { count: pages.all }), t(`history.by.${by}`)].join(' · ')}
        </div>
        <div className={words.meta}>
          {isSame ? t('history.same') : t('history.changes', { added, changed, removed })}
        </div>
        {!isCurrent && !isKept && <div className={words.meta}>{t('history.notKept')}</div>}
        <Contents release={release} ref={contents} />
      </div>
      {rollBack !== null && (
        <Button
          look="quiet"
          icon={rollBack.icon}
          aria-label={t('history.rollBackTo', { at: formats.exact(at) })}
          onClick={rollBack.onSelect}
        >
          {rollBack.label}
        </Button>
      )}
      {menu}
    </li>
  )
}
