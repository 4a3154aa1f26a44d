import type { MaterialRow } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import { titleOf } from '../../domain/material-title.ts'
import { useChosenMaterial } from '../../features/materials/chosen-material.ts'
import { MaterialHeader } from '../../features/materials/material-header.tsx'
import { useMaterialMenu } from '../../features/materials/material-menu.ts'
import { MaterialsPane } from '../../features/materials/materials-pane.tsx'
import { SaveNotices } from '../../features/materials/save-notices.tsx'
import { useVersions } from '../../features/versions/store.ts'
import { VersionDetail } from '../../features/versions/version-detail.tsx'
import { useVersionMenu } from '../../features/versions/version-menu.ts'
import { VersionList, VersionsAbove } from '../../features/versions/versions-pane.tsx'
import { useNavigation } from '../../navigation/navigation.ts'
import { Failed } from '../../ui/failed.tsx'
import { Message } from '../../ui/message.tsx'
import { Pane } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useCounts } from '../state/counts.ts'
import { useMaterialActions } from './material-actions.ts'
import { MaterialLayer } from './material-layer.tsx'
import type { Part, Screen } from './screen.ts'
import { versionComments } from './version-comments.tsx'

function MaterialTable({ view }: Part<'materials'>) {
  const { material, saves } = useMaterialActions()
  const { go, choose } = useNavigation()
  const { site, counts } = useCounts()
  return (
    <MaterialsPane
      chosenId={view.materialId}
      onChoose={(materialId) => choose({ screen: 'materials', materialId })}
      onOpen={(materialId) => go({ screen: 'material', materialId, versionId: null })}
      handlers={material}
      notice={
        <SaveNotices
          counts={counts}
          onShow={(callbackId) => go({ screen: 'delivery', callbackId })}
          onCheck={(callbackId) => saves.checkSignature(callbackId)}
          onDismissUnsigned={() => site !== null && saves.dismissUnsigned(site)}
          onDismissGap={saves.dismissGaps}
        />
      }
    />
  )
}

function MaterialInspector({ view }: Part<'materials'>) {
  const { t } = useTranslation('materials')
  const chosen = useChosenMaterial((state) => state.view)
  const { load } = useMaterialActions()
  const material = view.materialId !== null && chosen.kind === 'ready' ? chosen.items : null
  const isGone = view.materialId !== null && chosen.kind === 'ready' && material === null
  return (
    <Pane name="inspector" level={2} title={material === null ? t('detail') : titleOf(material)}>
      {view.materialId === null && <Message text={t('noneSelected')} />}
      {isGone && <Message text={t('gone')} />}
      {view.materialId !== null && chosen.kind === 'loading' && <Skeleton rows={4} />}
      {view.materialId !== null && chosen.kind === 'failed' && (
        <Failed text={t('detailFailed')} onRetry={() => void load()} />
      )}
      {material !== null && <MaterialDetail material={material} />}
    </Pane>
  )
}

/** The selected material, its versions, and the selected version. */
function MaterialDetail({ material }: { readonly material: MaterialRow }) {
  const { material: handlers, version } = useMaterialActions()
  const go = useNavigation((state) => state.go)
  const show = useVersions((state) => state.show)
  const menuOf = useMaterialMenu(handlers)
  const versionMenu = useVersionMenu(version)
  const { site, materialId } = material
  return (
    <>
      <MaterialHeader material={material} menu={menuOf(material)} handlers={handlers} />
      <VersionsAbove
        list={
          <VersionList
            onChoose={(versionId) => show({ site, materialId, versionId })}
            onOpen={({ versionId }) => go({ screen: 'material', materialId, versionId })}
            onReview={({ versionId }) => version.review(versionId, null)}
            menuOf={versionMenu}
          />
        }
      >
        <VersionDetail handlers={version} comments={versionComments} />
      </VersionsAbove>
    </>
  )
}

/** The materials of a site, and the versions of the selected one. */
export const materialsScreen: Screen<'materials'> = {
  List: MaterialTable,
  Inspector: MaterialInspector,
  Layer: MaterialLayer,
}
