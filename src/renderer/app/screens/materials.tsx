import { useTranslation } from 'react-i18next'

import { FailedBanner } from '../../features/materials/failed-banner.tsx'
import { MaterialHeader } from '../../features/materials/material-header.tsx'
import { useMaterialMenu } from '../../features/materials/material-menu.ts'
import { titleOf } from '../../domain/material-title.ts'
import { MaterialsPane } from '../../features/materials/materials-pane.tsx'
import { neighbours } from '../../features/versions/store.ts'
import { VersionDetail } from '../../features/versions/version-detail.tsx'
import { useVersionMenu } from '../../features/versions/version-menu.ts'
import { VersionsAbove } from '../../features/versions/versions-above.tsx'
import { VersionList } from '../../features/versions/versions-pane.tsx'
import { siteNow, viewNow } from '../../navigation/navigation.ts'
import type { Services } from '../../domain/services.ts'
import { Failed } from '../../ui/failed.tsx'
import { Message } from '../../ui/message.tsx'
import { Pane } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { CountsStore } from '../state/counts.ts'
import type { Part, Screen } from './screen.ts'
import { MaterialLayer } from './material-layer.tsx'
import type { MaterialParts } from './material-stores.ts'
import { pickedMaterials } from './material-stores.ts'
import { useMaterialWays, useVersionWays } from './material-ways.ts'

/** The materials of a site, and the versions of the chosen one. */
export function createMaterialsScreen(
  services: Services,
  parts: MaterialParts,
  useCounts: CountsStore,
): Screen<'materials'> {
  const { materials, versions, useChosen } = parts
  const { useNavigation } = services
  registerCommands(services, parts)
  return {
    List: function MaterialTable({ view }: Part<'materials'>) {
      const ways = useMaterialWays(services, parts)
      const failed = useCounts(({ counts }) => counts?.failedSaves ?? null)
      return (
        <MaterialsPane
          materials={materials}
          chosenId={view.materialId}
          onChoose={(materialId) => useNavigation.getState().choose({ screen: 'materials', materialId })}
          onOpen={(materialId) => useNavigation.getState().go({ screen: 'material', materialId, versionId: null })}
          ways={ways}
          notice={
            <FailedBanner
              failed={failed}
              onShow={(callbackId) => useNavigation.getState().go({ screen: 'callbacks', callbackId })}
            />
          }
        />
      )
    },
    Inspector: function MaterialInspector({ view }: Part<'materials'>) {
      const { t } = useTranslation('materials')
      const chosen = useChosen((state) => state.view)
      const ways = useVersionWays(services, parts)
      const menuOf = useMaterialMenu(materials, useMaterialWays(services, parts))
      const versionMenu = useVersionMenu(ways, ({ versionId }) => neighbours(versions, versionId))
      const material = view.materialId !== null && chosen.kind === 'ready' ? chosen.items : null
      const isGone = view.materialId !== null && chosen.kind === 'ready' && material === null
      return (
        <Pane name="inspector" level={2} title={material === null ? t('detail') : titleOf(material)}>
          {view.materialId === null && <Message text={t('noneSelected')} />}
          {isGone && <Message text={t('gone')} />}
          {view.materialId !== null && chosen.kind === 'loading' && <Skeleton rows={4} />}
          {view.materialId !== null && chosen.kind === 'failed' && (
            <Failed text={t('detailFailed')} onRetry={() => void parts.load()} />
          )}
          {material !== null && (
            <>
              <MaterialHeader material={material} menu={menuOf(material)} useMaterials={materials.useMaterials} />
              <VersionsAbove
                list={
                  <VersionList
                    versions={versions}
                    onChoose={(versionId) => {
                      const { site, materialId } = material
                      versions.useVersions.getState().show({ site, materialId, versionId })
                    }}
                    onOpen={({ materialId, versionId }) =>
                      useNavigation.getState().go({ screen: 'material', materialId, versionId })
                    }
                    onReview={({ versionId }) => ways.review(versionId, null)}
                    menuOf={versionMenu}
                  />
                }
              >
                <VersionDetail versions={versions} ways={ways} />
              </VersionsAbove>
            </>
          )}
        </Pane>
      )
    },
    Layer: () => <MaterialLayer services={services} parts={parts} />,
    refresh: () => void parts.load(),
  }
}

function registerCommands(services: Services, parts: MaterialParts): void {
  const { bridge, useNavigation, useCommands } = services
  const { materials, useChosen } = parts
  const { useMaterials } = materials
  const chosenId = (): string | null => {
    const view = viewNow(useNavigation.getState())
    return view.screen === 'materials' || view.screen === 'material' ? view.materialId : null
  }
  const chosen = () => {
    const { of, view } = useChosen.getState()
    return view.kind === 'ready' && of?.materialId === chosenId() ? view.items : null
  }
  const inMaterials = (): boolean => viewNow(useNavigation.getState()).screen === 'materials'
  useCommands.getState().register([
    {
      id: 'material.new',
      group: 'materials',
      title: (t) => t('materials:commands.create'),
      isAvailable: () => siteNow(useNavigation.getState()) !== null,
      run: () => {
        if (!inMaterials()) useNavigation.getState().goToSection('materials')
        useMaterials.getState().setDialog({ kind: 'new' })
      },
    },
    {
      id: 'material.openEditor',
      group: 'materials',
      title: (t) => t('materials:commands.open'),
      isAvailable: () => chosenId() !== null,
      run: () => {
        const materialId = chosenId()
        if (materialId !== null) void useMaterials.getState().edit(materialId)
      },
    },
    {
      id: 'material.openForm',
      group: 'materials',
      title: (t) => t('materials:commands.openForm'),
      isAvailable: () => chosenId() !== null,
      run: () => {
        const materialId = chosenId()
        if (materialId !== null) void useMaterials.getState().preview(materialId)
      },
    },
    {
      id: 'material.rename',
      group: 'materials',
      title: (t) => t('materials:commands.rename'),
      isAvailable: () => chosen() !== null,
      run: () => {
        const material = chosen()
        if (material !== null) useMaterials.getState().setDialog({ kind: 'rename', material })
      },
    },
    {
      id: 'material.tags',
      group: 'materials',
      title: (t) => t('materials:commands.tags'),
      isAvailable: () => chosenId() !== null,
      run: () => useMaterials.getState().setDialog({ kind: 'tags', materialIds: pickedMaterials(services, parts).ids }),
    },
    {
      id: 'material.refuse',
      group: 'materials',
      title: (t) => t('materials:commands.refuse'),
      isAvailable: () => chosen()?.isRefused === false,
      run: () => {
        const materialId = chosenId()
        if (materialId !== null) useMaterials.getState().setDialog({ kind: 'refuse', materialIds: [materialId] })
      },
    },
    {
      id: 'material.copyId',
      group: 'materials',
      title: (t) => t('materials:commands.copyId'),
      isAvailable: () => chosenId() !== null,
      run: () => void bridge.call('copyText', { text: chosenId() ?? '' }),
    },
    {
      id: 'material.saveView',
      group: 'materials',
      title: (t) => t('materials:commands.saveView'),
      isAvailable: inMaterials,
      run: () => useMaterials.getState().setDialog({ kind: 'view' }),
    },
  ])
}
