import { Copy, FolderOpen, RotateCw, ShieldCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import type { ExportRow } from '../../../contract/ipc/exports.ts'
import { draftOf } from '../../features/exports/draft.ts'
import { ExportDetail } from '../../features/exports/export-detail.tsx'
import { ExportDialog } from '../../features/exports/export-dialog.tsx'
import { ExportsPane } from '../../features/exports/exports-pane.tsx'
import { createExportContents, createExports } from '../../features/exports/store.ts'
import { useOpenExportFolder } from '../../domain/open-export-folder.ts'
import { followOn, siteNow } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import type { Services } from '../../domain/services.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { Message } from '../../ui/message.tsx'
import { Pane } from '../../ui/pane.tsx'
import { useCopy } from './copy-text.ts'
import type { MaterialParts } from './material-stores.ts'
import { openInspector } from './open-inspector.ts'
import type { Part, Screen } from './screen.ts'

/** The past exports of a site, what each one held, and the preparing of another. */
export function createExportsScreen(
  services: Services,
  { exportStart: { useDraft, withWhatIsShown } }: MaterialParts,
): Screen<'exports'> {
  const { useNavigation, useCommands } = services
  const bridge = whileShown(services.bridge, useNavigation, ['exports'])
  const exports = createExports(bridge)
  const useContents = createExportContents(bridge)
  followOn(useNavigation, ['exports'], (site) => exports.useExports.getState().show(site))
  useCommands.getState().register([
    {
      id: 'export.new',
      group: 'exports',
      title: (t) => t('exports:create'),
      isAvailable: () => siteNow(useNavigation.getState()) !== null,
      run: withWhatIsShown,
    },
  ])
  /** Begins the same export anew; the titles of its materials are only known to the export itself. */
  const again = async (row: ExportRow, changes: { readonly verify?: boolean } = {}): Promise<void> => {
    const contents =
      row.wish.materials.length === 0 ? null : await bridge.call('readExport', { exportId: row.exportId })
    const pages = contents?.ok ? contents.value.pages : []
    const titles = new Map(pages.map(({ materialId, title }) => [materialId, title]))
    useDraft.getState().open({ ...draftOf(row, titles), ...changes })
  }
  return {
    List: function ExportList({ view }: Part<'exports'>) {
      const { t } = useTranslation('exports')
      const openFolder = useOpenExportFolder(services)
      const copy = useCopy(services)
      const menuOf = (row: ExportRow): readonly MenuItem[] => [
        { key: 'open', label: t('openFolder'), icon: FolderOpen, onSelect: () => openFolder(row.exportId) },
        { key: 'again', label: t('again'), icon: RotateCw, onSelect: () => void again(row) },
        {
          key: 'verify',
          label: t('againVerified'),
          icon: ShieldCheck,
          onSelect: () => void again(row, { verify: true }),
        },
        { kind: 'separator', key: 'separator' },
        { key: 'copy', label: t('copyPath'), icon: Copy, onSelect: () => copy(row.target.path) },
      ]
      return (
        <>
          <ExportsPane
            exports={exports}
            chosenId={view.exportId}
            onChoose={(exportId) => useNavigation.getState().choose({ screen: 'exports', exportId })}
            onOpen={() => openInspector(services)}
            onCreate={withWhatIsShown}
            menuOf={menuOf}
          />
          <ExportDialog bridge={bridge} useDraft={useDraft} onOpenFolder={openFolder} />
        </>
      )
    },
    Inspector: function ExportInspector({ view }: Part<'exports'>) {
      const { t } = useTranslation('exports')
      const openFolder = useOpenExportFolder(services)
      return (
        <Pane name="inspector" level={2} title={t('detail')}>
          {view.exportId === null ? (
            <Message text={t('noneSelected')} />
          ) : (
            <ExportDetail
              exportId={view.exportId}
              useContents={useContents}
              onOpenFolder={openFolder}
              onAgain={(row) => void again(row)}
              onVersion={({ materialId, versionId }) =>
                useNavigation.getState().go({ screen: 'material', materialId, versionId })
              }
            />
          )}
        </Pane>
      )
    },
  }
}
