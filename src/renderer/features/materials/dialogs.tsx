import type { PruneReport } from '../../../contract/domain/care-reports.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { NewMaterial } from './new-material.tsx'
import { OpenEditor } from './open-editor.tsx'
import { RefuseDialog } from './refuse-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { SaveViewDialog } from './save-view-dialog.tsx'
import { useMaterials } from './store.ts'
import { TagsDialog } from './tags-dialog.tsx'

interface Props {
  /** Told when materials were deleted. */
  readonly onDeleted: (materialIds: readonly string[], report: PruneReport) => void
}

/** The dialog that stands over the materials, if one does. */
export function MaterialDialogs({ onDeleted }: Props) {
  const dialog = useMaterials((state) => state.dialog)
  switch (dialog.kind) {
    case 'none':
      return null
    case 'new':
      return <NewMaterial />
    case 'open':
      return <OpenEditor dialog={dialog} />
    case 'rename':
      return <RenameDialog material={dialog.material} />
    case 'tags':
      return <TagsDialog materialIds={dialog.materialIds} />
    case 'refuse':
      return <RefuseDialog materialIds={dialog.materialIds} />
    case 'delete': {
      const { materialIds } = dialog
      return <DeleteDialog materialIds={materialIds} onDeleted={(report) => onDeleted(materialIds, report)} />
    }
    case 'view':
      return <SaveViewDialog />
  }
}
