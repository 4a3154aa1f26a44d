import type { ExportRow } from '@galley/library/records'
import { Copy, FolderOpen, RotateCw, ShieldCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { useBridge } from '../../bridge/use-bridge.ts'
import { useCommands } from '../../commands/commands.ts'
import { useCopy } from '../../domain/copy-text.ts'
import { useOpenExportFolder } from '../../domain/open-export-folder.ts'
import { draftOf, useExportDraft } from '../../features/exports/draft.ts'
import { ExportDetail } from '../../features/exports/export-detail.tsx'
import { ExportDialog } from '../../features/exports/export-dialog.tsx'
import { ExportsList, NewExport } from '../../features/exports/exports-list.tsx'
import { currentSite, useNavigation } from '../../navigation/navigation.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { Message } from '../../ui/message.tsx'
import { Pane } from '../../ui/pane.tsx'
import { useOpenInspector } from './open-inspector.ts'
import type { PublishTabParts } from './publish-tab.ts'
import type { Part } from './screen.ts'

type RepeatExport = (row: ExportRow, changes?: { readonly verify?: boolean }) => Promise<void>

/** Repeats an export. The titles of its materials must be read from the export itself. */
function useRepeatExport(): RepeatExport {
  const bridge = useBridge()
  const open = useExportDraft((state) => state.open)
  return async (row, changes = {}) => {
    const { exportId, request } = row
    const contents = request.materials.length === 0 ? null : await bridge.call('readExport', { exportId })
    const pages = contents?.ok ? contents.value.pages : []
    const titles = new Map(pages.map(({ materialId, title }) => [materialId, title]))
    open({ ...draftOf(row, titles), ...changes })
  }
}

function ExportList({ view }: Part<'publish'>) {
  const { t } = useTranslation('exports')
  const choose = useNavigation((state) => state.choose)
  const run = useCommands((state) => state.run)
  const openInspector = useOpenInspector()
  const openFolder = useOpenExportFolder()
  const copy = useCopy()
  const again = useRepeatExport()
  const menuOf = (row: ExportRow): readonly MenuItem[] => [
    { key: 'open', label: t('openFolder'), icon: FolderOpen, onSelect: () => openFolder(row.exportId) },
    { key: 'again', label: t('again'), icon: RotateCw, onSelect: () => void again(row) },
    { key: 'verify', label: t('againVerified'), icon: ShieldCheck, onSelect: () => void again(row, { verify: true }) },
    { kind: 'separator', key: 'separator' },
    { key: 'copy', label: t('copyPath'), icon: Copy, onSelect: () => copy(row.target.path) },
  ]
  return (
    <>
      <ExportsList
        chosenId={view.itemId}
        onChoose={(itemId) => choose({ ...view, itemId })}
        onOpen={openInspector}
        onCreate={() => void run('export.new')}
        menuOf={menuOf}
      />
      <ExportDialog onOpenFolder={openFolder} />
    </>
  )
}

function ExportInspector({ view }: Part<'publish'>) {
  const { t } = useTranslation('exports')
  const go = useNavigation((state) => state.go)
  const openFolder = useOpenExportFolder()
  const again = useRepeatExport()
  return (
    <Pane name="inspector" level={2} title={t('detail')}>
      {view.itemId === null ? (
        <Message text={t('noneSelected')} />
      ) : (
        <ExportDetail
          exportId={view.itemId}
          onOpenFolder={openFolder}
          onAgain={(row) => void again(row)}
          onVersion={({ materialId, versionId }) => go({ screen: 'material', materialId, versionId })}
        />
      )}
    </Pane>
  )
}

function ExportActions() {
  const run = useCommands((state) => state.run)
  const site = useNavigation(currentSite)
  return site !== null && <NewExport onCreate={() => void run('export.new')} />
}

export const exportsTab: PublishTabParts = { List: ExportList, Actions: ExportActions, Inspector: ExportInspector }
