import { ArrowLeft, Columns2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { KeyedButton } from '../../commands/keyed-button.tsx'
import { MaterialHeader } from '../../features/materials/material-header.tsx'
import { useMaterialMenu } from '../../features/materials/material-menu.ts'
import { titleOf } from '../../domain/material-title.ts'
import { neighbours } from '../../features/versions/store.ts'
import { VersionDetail } from '../../features/versions/version-detail.tsx'
import { useVersionMenu } from '../../features/versions/version-menu.ts'
import { VersionList } from '../../features/versions/versions-pane.tsx'
import { viewNow } from '../../navigation/navigation.ts'
import type { Services } from '../../domain/services.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { Pane } from '../../ui/pane.tsx'
import type { Part, Screen } from './screen.ts'
import { MaterialLayer } from './material-layer.tsx'
import type { MaterialParts } from './material-stores.ts'
import { openInspector } from './open-inspector.ts'
import { useMaterialWays, useVersionWays } from './material-ways.ts'

/** One material: its versions as a timeline, and what the chosen one holds. */
export function createMaterialScreen(services: Services, parts: MaterialParts): Screen<'material'> {
  const { materials, versions, useChosen } = parts
  const { useNavigation } = services
  const choose = (versionId: string): void => {
    const view = viewNow(useNavigation.getState())
    if (view.screen === 'material') useNavigation.getState().choose({ ...view, versionId })
  }
  return {
    List: function MaterialTimeline({ view: { materialId } }: Part<'material'>) {
      const { t } = useTranslation(['materials', 'versions'])
      const chosen = useChosen((state) => state.view)
      const selected = versions.useVersions((state) => state.selected)
      const ways = useVersionWays(services, parts)
      const menuOf = useMaterialMenu(materials, useMaterialWays(services, parts))
      const versionMenu = useVersionMenu(ways, ({ versionId }) => neighbours(versions, versionId))
      const material = chosen.kind === 'ready' ? chosen.items : null
      const [first] = selected
      const pair = first === undefined ? null : neighbours(versions, first).pair
      return (
        <Pane
          name="list"
          title={material === null ? materialId : titleOf(material)}
          lead={
            <Button
              look="quiet"
              icon={ArrowLeft}
              isIconOnly
              onClick={() => useNavigation.getState().go({ screen: 'materials', materialId })}
            >
              {t('title')}
            </Button>
          }
          actions={
            pair !== null && (
              <KeyedButton icon={Columns2} command="review.compare" onClick={() => ways.review(...pair)}>
                {t('versions:actions.comparePair')}
              </KeyedButton>
            )
          }
        >
          {material !== null && (
            <MaterialHeader material={material} menu={menuOf(material)} useMaterials={materials.useMaterials} />
          )}
          {chosen.kind === 'ready' && material === null ? (
            <Message text={t('gone')} />
          ) : (
            <VersionList
              versions={versions}
              onChoose={choose}
              onOpen={() => openInspector(services)}
              onReview={({ versionId }) => ways.review(versionId, null)}
              menuOf={versionMenu}
            />
          )}
        </Pane>
      )
    },
    Inspector: function VersionInspector() {
      const { t } = useTranslation('versions')
      const ways = useVersionWays(services, parts)
      return (
        <Pane name="inspector" level={2} title={t('columns.version')}>
          <VersionDetail versions={versions} ways={ways} whenNone={<Message text={t('noneToShow')} />} />
        </Pane>
      )
    },
    Layer: () => <MaterialLayer services={services} parts={parts} />,
    refresh: () => void parts.load(),
  }
}
