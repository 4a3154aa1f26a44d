import type { SnapshotSummary } from '../../../contract/snapshot.ts'
import { texts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { Grid } from '../../ui/grid.tsx'
import type { Column } from '../../ui/grid.tsx'
import { Message } from '../../ui/message.tsx'
import { useNow } from '../../ui/now.ts'
import { Pane } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import type { createFonts } from './store.ts'

const words = texts.fonts

interface Props {
  readonly useFonts: ReturnType<typeof createFonts>
  readonly onEnter: () => void
}

/** The font sets of the site, the one in use first. */
export function FontsPane({ useFonts, onEnter }: Props) {
  const { view, selectedId, select, load } = useFonts()
  const nowMs = useNow()
  return (
    <Pane title={words.title} count={view.kind === 'ready' ? count(view.items.length, texts.locale) : undefined}>
      {view.kind === 'loading' && <Skeleton label={texts.loading} rows={4} />}
      {view.kind === 'failed' && (
        <Message isFailure text={view.reason}>
          <Button onClick={() => void load()}>{texts.retry}</Button>
        </Message>
      )}
      {view.kind === 'ready' && view.items.length === 0 && <Message title={words.none.title} text={words.none.text} />}
      {view.kind === 'ready' && view.items.length > 0 && (
        <Grid
          label={words.title}
          columns={columns(nowMs, view.items[0]?.snapshotId)}
          rows={view.items}
          keyOf={(snapshot) => snapshot.snapshotId}
          selectedKey={selectedId}
          onSelect={(snapshot) => select(snapshot.snapshotId)}
          onEnter={onEnter}
        />
      )}
    </Pane>
  )
}

const columns = (nowMs: number, newestId: string | undefined): readonly Column<SnapshotSummary>[] => [
  {
    title: words.columns.snapshot,
    cell: ({ snapshotId }) => (
      <>
        {snapshotId}
        {snapshotId === newestId && <Badge word={words.newest} />}
      </>
    ),
  },
  { title: words.columns.files, width: 72, align: 'end', cell: ({ files }) => count(files.length, texts.locale) },
  {
    title: words.columns.received,
    width: 144,
    isMeta: true,
    cell: ({ receivedAt }) => <Time iso={receivedAt} nowMs={nowMs} locale={texts.locale} />,
  },
]
