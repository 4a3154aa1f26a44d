import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Grid } from '../../ui/grid.tsx'
import { Message } from '../../ui/message.tsx'
import { useNow } from '../../ui/now.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { shownVersion } from './store.ts'
import type { createVersions } from './store.ts'
import { versionColumns } from './version-columns.tsx'
import { VersionDetailTabs } from './version-detail.tsx'
import styles from './versions-pane.module.css'

const words = texts.versions

interface Props {
  readonly useVersions: ReturnType<typeof createVersions>
}

/** The versions of the selected material above, the chosen one below. */
export function VersionsPane({ useVersions }: Props) {
  const state = useVersions()
  const nowMs = useNow()
  const { view, load, select } = state
  if (view.kind === 'loading') return <Skeleton label={texts.loading} rows={4} />
  if (view.kind === 'failed') {
    return (
      <Message isFailure text={view.reason}>
        <Button onClick={() => void load()}>{texts.retry}</Button>
      </Message>
    )
  }
  if (view.items.length === 0) return <Message text={words.none} />
  return (
    <div className={styles.versions}>
      <div className={styles.list}>
        <Grid
          label={words.title}
          isTall
          columns={versionColumns(nowMs)}
          rows={view.items}
          keyOf={(version) => version.versionId}
          selectedKey={shownVersion(state)?.versionId ?? null}
          onSelect={(version) => select(version.versionId)}
        />
      </div>
      <VersionDetailTabs detail={state.detail} retry={() => void load()} />
    </div>
  )
}
