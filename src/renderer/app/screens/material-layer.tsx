import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'

import type { PruneReport } from '../../../contract/domain/care-reports.ts'
import type { VersionRow } from '../../../contract/ipc/versions.ts'
import type { CommandId } from '../../../contract/domain/shortcuts.ts'
import type { Command } from '../../commands/commands.ts'
import { MaterialDialogs } from '../../features/materials/dialogs.tsx'
import { RejectDialog } from '../../features/versions/reject-dialog.tsx'
import { chosenVersion, neighbours } from '../../features/versions/store.ts'
import type { Versions } from '../../features/versions/store.ts'
import type { VersionWays } from '../../features/versions/version-ways.ts'
import { viewNow } from '../../navigation/navigation.ts'
import { useFormats } from '../../i18n/formats.ts'
import type { Services } from '../../domain/services.ts'
import type { MaterialParts } from './material-stores.ts'
import { pickedMaterials } from './material-stores.ts'
import { useMaterialWays, useVersionWays } from './material-ways.ts'

interface Props {
  readonly services: Services
  readonly parts: MaterialParts
}

/** What stands over Materials and Material, whichever of their panes are shown: dialogs, and the commands of a version. */
export function MaterialLayer({ services, parts }: Props) {
  const { t } = useTranslation('materials')
  const formats = useFormats()
  const { materials, versions, useSafety } = parts
  const { toasts, useNavigation } = services
  const onDeleted = (materialIds: readonly string[], report: PruneReport): void => {
    const view = viewNow(useNavigation.getState())
    const isShown =
      (view.screen === 'material' || view.screen === 'materials') && materialIds.includes(view.materialId ?? '')
    if (isShown) useNavigation.getState().go({ screen: 'materials', materialId: null })
    const title = t('done.deleted', { count: materialIds.length })
    toasts.add({ title, description: t('done.freed', { size: formats.size(report.bytes) }) })
  }
  const ways = useVersionWays(services, parts)
  const { rejecting, setRejecting } = versions.useVersions()
  useVersionCommands(services, versions, ways)
  useEndingCommands(services, parts)
  return (
    <>
      <MaterialDialogs {...materials} useSafety={useSafety} onDeleted={onDeleted} />
      {rejecting !== null && <RejectDialog version={rejecting} mark={ways.mark} onClose={() => setRejecting(null)} />}
    </>
  )
}

/** The keys of the version that is looked at. */
function useVersionCommands({ useCommands, useNavigation }: Services, versions: Versions, ways: VersionWays): void {
  const withChosen = useEffectEvent((run: (chosen: VersionRow, ways: VersionWays) => void) => {
    const chosen = chosenVersion(versions)
    if (chosen !== null) run(chosen, ways)
  })
  useEffect(() => {
    const command = (
      id: CommandId,
      title: Command['title'],
      run: (chosen: VersionRow, ways: VersionWays) => void,
    ): Command => ({
      id,
      group: 'materials',
      title,
      // In the table of materials a letter looks for a title: it must not judge a version.
      isAvailable: () => viewNow(useNavigation.getState()).screen === 'material' && chosenVersion(versions) !== null,
      run: () => withChosen(run),
    })
    return useCommands.getState().register([
      command(
        'version.review',
        (t) => t('versions:commands.review'),
        ({ versionId }, { review }) => review(versionId, null),
      ),
      command(
        'review.compare',
        (t) => t('versions:commands.compare'),
        ({ versionId }, { review }) => {
          const { pair, previousId } = neighbours(versions, versionId)
          if (pair === null) review(versionId, previousId)
          else review(...pair)
        },
      ),
      command(
        'version.approve',
        (t) => t('versions:commands.approve'),
        (chosen, { mark }) => void mark(chosen, { verdict: { kind: 'approved', note: '' } }),
      ),
      command(
        'version.reject',
        (t) => t('versions:commands.reject'),
        (chosen, { reject }) => reject(chosen),
      ),
      command(
        'version.pin',
        (t) => t('versions:commands.pin'),
        (chosen, { mark }) => void mark(chosen, { pinned: !chosen.pinned }),
      ),
    ])
  }, [useCommands, useNavigation, versions])
}

/** The keys that take materials off the list. */
function useEndingCommands(services: Services, parts: MaterialParts): void {
  const { useCommands } = services
  const { archive } = useMaterialWays(services, parts)
  const toggleArchive = useEffectEvent(() => {
    const { ids, isArchive } = pickedMaterials(services, parts)
    void archive(ids, !isArchive)
  })
  useEffect(() => {
    const isAvailable = (): boolean => pickedMaterials(services, parts).ids.length > 0
    return useCommands.getState().register([
      {
        id: 'material.archive',
        group: 'materials',
        title: (t) => t('materials:commands.archive'),
        isAvailable,
        run: () => toggleArchive(),
      },
      {
        id: 'material.delete',
        group: 'materials',
        title: (t) => t('materials:commands.delete'),
        isAvailable,
        run: () => {
          const { ids: materialIds } = pickedMaterials(services, parts)
          parts.materials.useMaterials.getState().setDialog({ kind: 'delete', materialIds })
        },
      },
    ])
  }, [useCommands, services, parts])
}
