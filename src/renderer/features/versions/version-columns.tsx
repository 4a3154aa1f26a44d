import { TriangleAlert } from 'lucide-react'

import type { VersionSummary } from '../../../contract/version.ts'
import { texts } from '../../texts.ts'
import { dayAndMinute, fileSize, relativeTime } from '../../ui/format.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/grid.tsx'
import { TwoLines } from '../../ui/two-lines.tsx'
import styles from './versions-pane.module.css'

const words = texts.versions

/** The columns of the timeline, in rows of two lines, since the pane is narrower than what is worth showing. */
export const versionColumns = (nowMs: number): readonly Column<VersionSummary>[] => [
  {
    title: words.columns.version,
    cell: (version) => <TwoLines first={<VersionName {...version} />} second={version.userEmail ?? words.unknownWho} />,
  },
  {
    title: words.columns.size,
    width: 84,
    shownFrom: 'small',
    align: 'end',
    cell: ({ sizeBytes, mediaCount }) => (
      <TwoLines first={fileSize(sizeBytes, texts.locale)} second={words.mediaFiles(mediaCount)} />
    ),
  },
  {
    title: words.columns.saved,
    width: 140,
    cell: ({ receivedAt }) => (
      <TwoLines
        first={relativeTime(receivedAt, nowMs, texts.locale)}
        second={<time dateTime={receivedAt}>{dayAndMinute(receivedAt, texts.locale)}</time>}
      />
    ),
  },
]

function VersionName({ versionId, current, warnings }: VersionSummary) {
  const told = words.warnings(warnings.length)
  return (
    <span className={styles.name}>
      <span className={styles.id}>{versionId}</span>
      {current && <Badge word={words.current} />}
      {warnings.length > 0 && (
        <span className={styles.warned} role="img" aria-label={told} title={told}>
          <TriangleAlert size={13} aria-hidden />
        </span>
      )}
    </span>
  )
}
