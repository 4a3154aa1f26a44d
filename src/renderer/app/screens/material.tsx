import { ArrowLeft, Columns2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { KeyedButton } from '../../commands/keyed-button.tsx'
import { titleOf } from '../../domain/material-title.ts'
import { useChosenMaterial } from '../../features/materials/chosen-material.ts'
import { MaterialHeader } from '../../features/materials/material-header.tsx'
import { useMaterialMenu } from '../../features/materials/material-menu.ts'
import { comparisonsOf, useVersionRows, useVersions } from '../../features/versions/store.ts'
import { VersionDetail } from '../../features/versions/version-detail.tsx'
import { useVersionMenu } from '../../features/versions/version-menu.ts'
import { VersionList } from '../../features/versions/versions-pane.tsx'
import { useNavigation } from '../../navigation/navigation.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { Pane } from '../../ui/pane.tsx'
import { useMaterialActions } from './material-actions.ts'
import { MaterialLayer } from './material-layer.tsx'
import { useOpenInspector } from './open-inspector.ts'
import type { Part, Screen } from './screen.ts'
import { versionComments } from './version-comments.tsx'

function MaterialTimeline({ view }: Part<'material'>) {
  const { t } = useTranslation(['materials', 'versions'])
  const { material: materialHandlers, version: handlers } = useMaterialActions()
  const { go, choose } = useNavigation()
  const chosen = useChosenMaterial((state) => state.view)
  const menuOf = useMaterialMenu(materialHandlers)
  const versionMenu = useVersionMenu(handlers)
  const openInspector = useOpenInspector()
  const { materialId } = view
  const material = chosen.kind === 'ready' ? chosen.items : null
  return (
    <Pane
      name="list"
      title={material === null ? materialId : titleOf(material)}
      lead={
        <Button look="quiet" icon={ArrowLeft} isIconOnly onClick={() => go({ screen: 'materials', materialId })}>
          {t('title')}
        </Button>
      }
      actions={<ComparePair />}
    >
      {material !== null && <MaterialHeader material={material} menu={menuOf(material)} handlers={materialHandlers} />}
      {chosen.kind === 'ready' && material === null ? (
        <Message text={t('gone')} />
      ) : (
        <VersionList
          onChoose={(versionId) => choose({ ...view, versionId })}
          onOpen={openInspector}
          onReview={({ versionId }) => handlers.review(versionId, null)}
          menuOf={versionMenu}
        />
      )}
    </Pane>
  )
}

/** Compares the two selected versions. */
function ComparePair() {
  const { t } = useTranslation('versions')
  const { version } = useMaterialActions()
  const selected = useVersions((state) => state.selected)
  const rows = useVersionRows((state) => state.rows)
  const [first] = selected
  const pair = first === undefined ? null : comparisonsOf(rows, selected, first).pair
  if (pair === null) return null
  return (
    <KeyedButton icon={Columns2} command="version.compare" onClick={() => version.review(...pair)}>
      {t('actions.comparePair')}
    </KeyedButton>
  )
}

function VersionInspector() {
  const { t } = useTranslation('versions')
  const { version } = useMaterialActions()
  return (
    <Pane name="inspector" level={2} title={t('columns.version')}>
      <VersionDetail handlers={version} comments={versionComments} whenNone={<Message text={t('noneToShow')} />} />
    </Pane>
  )
}

/** One material: a timeline of its versions, and the selected version. */
export const materialScreen: Screen<'material'> = {
  List: MaterialTimeline,
  Inspector: VersionInspector,
  Layer: MaterialLayer,
}
