import type { PruneReport } from '../../../contract/domain/care-reports.ts'
import type { SafetyStore } from '../../domain/safety-copy.tsx'
import type { Materials } from './store.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { NewMaterial } from './new-material.tsx'
import { OpenEditor } from './open-editor.tsx'
import { RefuseDialog } from './refuse-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { SaveViewDialog } from './save-view-dialog.tsx'
import { TagsDialog } from './tags-dialog.tsx'

interface Props extends Materials {
  readonly useSafety: SafetyStore
  /** Told when materials were deleted. */
  readonly onDeleted: (materialIds: readonly string[], report: PruneReport) => void
}

/** The dialog that stands over the materials, if one does. */
export function MaterialDialogs({ useMaterials, useRows, useViews, useSafety, onDeleted }: Props) {
  const dialog = useMaterials((state) => state.dialog)
  switch (dialog.kind) {
    case 'none':
      return null
    case 'new':
      return <NewMaterial useMaterials={useMaterials} />
    case 'open':
      return <OpenEditor useMaterials={useMaterials} dialog={dialog} />
    case 'rename':
      return <RenameDialog useMaterials={useMaterials} material={dialog.material} />
    case 'tags':
      return <TagsDialog useMaterials={useMaterials} useRows={useRows} materialIds={dialog.materialIds} />
    case 'refuse':
      return <RefuseDialog useMaterials={useMaterials} materialIds={dialog.materialIds} />
    case 'delete': {
      const { materialIds } = dialog
      return (
        <DeleteDialog
          useMaterials={useMaterials}
          useSafety={useSafety}
          materialIds={materialIds}
          onDeleted={(report) => onDeleted(materialIds, report)}
        />
      )
    }
    case 'view':
      return <SaveViewDialog useMaterials={useMaterials} useViews={useViews} />
  }
}
