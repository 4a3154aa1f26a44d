import type { ReactNode, Ref } from 'react'
import { useRef } from 'react'

import { CallbackDetail } from '../features/callbacks/callback-detail.tsx'
import { CallbacksPane } from '../features/callbacks/callbacks-pane.tsx'
import { selectedCallback } from '../features/callbacks/store.ts'
import { FontsPane } from '../features/fonts/fonts-pane.tsx'
import { SnapshotDetail } from '../features/fonts/snapshot-detail.tsx'
import { selectedSnapshot } from '../features/fonts/store.ts'
import { MaterialHeader } from '../features/materials/material-header.tsx'
import { MaterialsPane } from '../features/materials/materials-pane.tsx'
import { selectedMaterial } from '../features/materials/store.ts'
import { VersionsPane } from '../features/versions/versions-pane.tsx'
import { texts } from '../texts.ts'
import { Boundary } from '../ui/boundary.tsx'
import { Message } from '../ui/message.tsx'
import { Pane } from '../ui/pane.tsx'
import type { Stores } from './stores.ts'
import styles from './shell.module.css'

interface Props {
  readonly stores: Stores
  readonly searchRef: Ref<HTMLInputElement>
}

/** The chosen view: its list, and what is selected in it. */
export function Screen({ stores, searchRef }: Props) {
  const inspector = useRef<HTMLElement>(null)
  const onEnter = (): void => inspector.current?.focus()
  const view = stores.useNavigation((state) => state.view)
  const material = stores.useMaterials(selectedMaterial)
  const callback = stores.useCallbacks(selectedCallback)
  const snapshot = stores.useFonts(selectedSnapshot)

  const panes = (title: string, list: ReactNode, detailKey: string | undefined, detail: ReactNode) => (
    <div key={view} className={styles.screen}>
      <Boundary {...texts.paneBroken}>{list}</Boundary>
      <Pane ref={inspector} level={2} title={title}>
        {/* Keyed, so that a detail that cannot be drawn does not stand in the way of the next. */}
        <Boundary key={detailKey} {...texts.paneBroken}>
          {detail}
        </Boundary>
      </Pane>
    </div>
  )
  switch (view) {
    case 'materials':
      return panes(
        material === null ? texts.materials.detail : material.title === '' ? material.materialId : material.title,
        <MaterialsPane useMaterials={stores.useMaterials} searchRef={searchRef} onEnter={onEnter} />,
        material?.materialId,
        material === null ? (
          <Message text={texts.materials.noneSelected} />
        ) : (
          <>
            <MaterialHeader material={material} useMaterials={stores.useMaterials} />
            <VersionsPane useVersions={stores.useVersions} />
          </>
        ),
      )
    case 'callbacks':
      return panes(
        texts.callbacks.detail,
        <CallbacksPane useCallbacks={stores.useCallbacks} onEnter={onEnter} />,
        callback?.id,
        callback === null ? <Message text={texts.callbacks.noneSelected} /> : <CallbackDetail record={callback} />,
      )
    case 'fonts':
      return panes(
        texts.fonts.detail,
        <FontsPane useFonts={stores.useFonts} onEnter={onEnter} />,
        snapshot?.snapshotId,
        snapshot === null ? <Message text={texts.fonts.noneSelected} /> : <SnapshotDetail snapshot={snapshot} />,
      )
  }
}
