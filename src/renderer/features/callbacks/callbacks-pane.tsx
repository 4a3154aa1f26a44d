import type { CallbackRecord } from '../../../contract/callback-record.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { Grid } from '../../ui/grid.tsx'
import type { Column } from '../../ui/grid.tsx'
import { Message } from '../../ui/message.tsx'
import { Note } from '../../ui/note.tsx'
import { useNow } from '../../ui/now.ts'
import { Pane } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { OutcomeStatus } from './outcome.tsx'
import { callbacksShown } from './store.ts'
import type { createCallbacks } from './store.ts'

const words = texts.callbacks

interface Props {
  readonly useCallbacks: ReturnType<typeof createCallbacks>
  readonly onEnter: () => void
}

/** The live list of callbacks. */
export function CallbacksPane({ useCallbacks, onEnter }: Props) {
  const { view, selectedId, select, load } = useCallbacks()
  const nowMs = useNow()
  return (
    <Pane title={words.title} count={view.kind === 'ready' ? count(view.items.length, texts.locale) : undefined}>
      {view.kind === 'loading' && <Skeleton label={texts.loading} />}
      {view.kind === 'failed' && (
        <Message isFailure text={view.reason}>
          <Button onClick={() => void load()}>{texts.retry}</Button>
        </Message>
      )}
      {view.kind === 'ready' && view.items.length === 0 && <Message title={words.none.title} text={words.none.text} />}
      {view.kind === 'ready' && view.items.length > 0 && (
        <Grid
          label={words.title}
          columns={columns(nowMs)}
          rows={view.items}
          keyOf={(record) => record.id}
          selectedKey={selectedId}
          onSelect={(record) => select(record.id)}
          onEnter={onEnter}
        />
      )}
      {view.kind === 'ready' && view.items.length >= callbacksShown && <Note text={words.capped} />}
    </Pane>
  )
}

const columns = (nowMs: number): readonly Column<CallbackRecord>[] => [
  {
    title: words.columns.time,
    width: 136,
    isMeta: true,
    cell: ({ receivedAt }) => <Time iso={receivedAt} nowMs={nowMs} locale={texts.locale} />,
  },
  { title: words.columns.outcome, width: 100, cell: ({ outcome }) => <OutcomeStatus outcome={outcome} /> },
  { title: words.columns.event, width: 112, shownFrom: 'medium', cell: ({ kind }) => words.events[kind] },
  { title: words.columns.material, width: 124, shownFrom: 'small', cell: ({ materialId }) => materialId ?? '–' },
  // The reason of a success is the same on every row and says nothing.
  { title: words.columns.reason, shownFrom: 'wide', isMeta: true, cell: ({ rc, rm }) => (rc === 1 ? '' : rm) },
]
