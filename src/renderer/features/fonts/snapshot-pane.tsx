import type { SnapshotRow } from '@galley/library/records'
import type { MaterialId, SnapshotId } from '@galley/wire'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'
import { Failed } from '../../ui/failed.tsx'
import { Message } from '../../ui/message.tsx'
import { Pane } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Source } from '../../ui/source.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Difference } from './difference.tsx'
import { Specimens } from './specimens.tsx'
import { useSnapshot } from './store.ts'
import { Summary } from './summary.tsx'
import { Usage } from './usage.tsx'

interface Props {
  readonly snapshotId: SnapshotId | null
  readonly all: readonly SnapshotRow[]
  readonly onCopy: (text: string) => void
  readonly onMaterial: (materialId: MaterialId) => void
}

/** One font set: specimens, files, CSS, usage, and comparison with another set. */
export function SnapshotPane({ snapshotId, all, onCopy, onMaterial }: Props) {
  const { t } = useTranslation('fonts')
  const formats = useFormats()
  const { view, retry } = useSnapshot()
  const row = all.find((each) => each.snapshotId === snapshotId)
  const content = (): React.ReactNode => {
    if (snapshotId === null) return <Message text={t('noneSelected')} />
    if (view.kind === 'loading') return <Skeleton rows={5} />
    if (view.kind === 'failed') return <Failed text={t('detailFailed')} onRetry={retry} />
    const snapshot = view.items
    const others = all.filter((other) => other.snapshotId !== snapshot.snapshotId)
    return (
      <Tabs
        label={t('detail')}
        tabs={[
          { key: 'specimens', title: t('tabs.specimens'), panel: () => <Specimens faces={snapshot.faces} /> },
          { key: 'files', title: t('tabs.files'), panel: () => <Summary snapshot={snapshot} onCopy={onCopy} /> },
          {
            key: 'usage',
            title: t('tabs.usage'),
            panel: () => <Usage site={snapshot.site} snapshotId={snapshot.snapshotId} onMaterial={onMaterial} />,
          },
          {
            key: 'difference',
            title: t('tabs.difference'),
            panel: () => <Difference snapshot={snapshot} others={others} />,
          },
          { key: 'css', title: t('tabs.css'), panel: () => <Source label={t('tabs.css')} text={snapshot.css} /> },
        ]}
      />
    )
  }
  return (
    <Pane name="inspector" level={2} title={row === undefined ? t('detail') : formats.exact(row.receivedAt)}>
      {content()}
    </Pane>
  )
}
