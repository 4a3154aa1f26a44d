import type { VersionRow } from '@galley/library/records'
import { jsonLines } from '@galley/wire'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { VersionInspection } from '../../../ipc/versions.ts'
import { FailedRead } from '../../domain/means.tsx'
import { MediaGrid } from '../../media/media-grid.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Source } from '../../ui/source.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import styles from './json-source.module.css'
import { PageSource } from './page-source.tsx'
import { StateTree } from './state-tree.tsx'
import { useVersionRows, useVersions } from './store.ts'
import { VersionBar } from './version-bar.tsx'
import type { VersionHandlers } from './version-handlers.ts'
import { VersionSummary } from './version-summary.tsx'

interface JsonSourceProps {
  readonly label: string
  readonly text: string
}

/** Longer texts would create too many elements and freeze the window. */
const maxHighlightedChars = 100_000

/** A JSON token; `blank` and `sign` (brackets, commas, colons) have no meaning. */
interface JsonTextPiece {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'sign' | 'blank'
  readonly text: string
}

const piece = /(\s+)|([{}[\],:])|("[^"\\]*(?:\\.[^"\\]*)*"?)(?=(\s*:)?)|(-?\d[^\s,\]}]*)|[^\s{}[\],:"]+/g

/** Splits JSON into tokens that together are the original text; expects valid JSON but is lossless for any text. */
export const jsonPieces = (text: string): readonly JsonTextPiece[] =>
  [...text.matchAll(piece)].map(([whole, blank, sign, string, colon, number]) => {
    if (blank !== undefined) return { kind: 'blank', text: whole }
    if (sign !== undefined) return { kind: 'sign', text: whole }
    if (string !== undefined) return { kind: colon === undefined ? 'string' : 'key', text: whole }
    return { kind: number === undefined ? 'word' : 'number', text: whole }
  })

/** JSON with one line per member, highlighted unless it is huge. */
function JsonSource({ label, text }: JsonSourceProps) {
  const indented = useMemo(() => jsonLines(text), [text])
  const pieces = useMemo(() => (indented.length > maxHighlightedChars ? null : jsonPieces(indented)), [indented])
  if (pieces === null) return <Source label={label} text={indented} />
  return (
    <pre className={styles.json} aria-label={label}>
      {pieces.map(({ kind, text: written }, at) =>
        kind === 'blank' || kind === 'sign' ? (
          written
        ) : (
          // Pieces have no identity but their index and never move.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={at} data-kind={kind}>
            {written}
          </span>
        ),
      )}
    </pre>
  )
}

interface Props {
  readonly handlers: VersionHandlers
  /** The comments on a version. */
  readonly comments: (version: VersionRow) => ReactNode
}

interface DetailProps extends Props {
  /** Shown while there is no version. */
  readonly whenNone?: ReactNode
}

/** One version's content and actions. */
export function VersionDetail({ handlers, comments, whenNone = null }: DetailProps) {
  const { t } = useTranslation('versions')
  const { detail, load, tab, showTab } = useVersions()
  const { kind, total } = useVersionRows()
  if (kind === 'ready' && total === 0) return whenNone
  // The list could not be read, so no version will load.
  if (detail.kind === 'loading') return kind === 'failed' ? whenNone : <Skeleton rows={4} />
  if (detail.kind === 'failed') {
    return <FailedRead problem={detail.problem} text={t('detailFailed')} onRetry={() => void load()} />
  }
  return <VersionTabs handlers={handlers} comments={comments} inspection={detail.items} tab={tab} onTab={showTab} />
}

interface InspectedProps extends Props {
  readonly inspection: VersionInspection
  readonly tab: string
  readonly onTab: (tab: string) => void
}

function VersionTabs({ handlers, comments, inspection, tab, onTab }: InspectedProps) {
  const { t } = useTranslation('versions')
  const { version, metadata } = inspection
  const { of: chosen, showCurrent } = useVersions()
  const isNewer = chosen?.versionId === null && !version.current
  const of = { versionId: version.versionId }
  return (
    <>
      {isNewer && (
        <Banner tone="info" text={t('newerArrived')}>
          <Button onClick={showCurrent}>{t('showNewer')}</Button>
        </Banner>
      )}
      <VersionBar version={version} handlers={handlers} />
      <Tabs
        label={t('tabsLabel')}
        chosen={tab}
        onChoose={onTab}
        tabs={[
          {
            key: 'summary',
            title: t('tabs.summary'),
            panel: () => <VersionSummary inspection={inspection} handlers={handlers} />,
          },
          { key: 'comments', title: t('tabs.comments'), panel: () => comments(version) },
          {
            key: 'media',
            title: t('tabs.media'),
            panel: () => (
              <MediaGrid key={version.versionId} of={{ ...version, before: null, after: version.versionId }} />
            ),
          },
          {
            key: 'html',
            title: t('tabs.html'),
            isForDevelopers: true,
            panel: () => <PageSource key={version.versionId} {...of} />,
          },
          {
            key: 'state',
            title: t('tabs.state'),
            isForDevelopers: true,
            panel: () => <StateTree key={version.versionId} {...of} />,
          },
          {
            key: 'metadata',
            title: t('tabs.metadata'),
            isForDevelopers: true,
            panel: () =>
              metadata === null ? (
                <Message text={t('noMetadata')} />
              ) : (
                <JsonSource label={t('metadataLabel')} text={metadata} />
              ),
          },
        ]}
      />
    </>
  )
}
