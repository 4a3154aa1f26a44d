import type { PruneReport } from '@galley/library/records'
import type { MaterialId } from '@galley/wire'

import { useProblemText } from '../../i18n/problem-text.ts'
import { NameView } from '../../ui/saved-views.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { NewMaterial } from './new-material.tsx'
import { OpenEditor } from './open-editor.tsx'
import { RefuseDialog } from './refuse-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { useMaterialViews, useMaterials } from './store.ts'
import { TagsDialog } from './tags-dialog.tsx'

interface Props {
  /** Called after materials were deleted. */
  readonly onDeleted: (materialIds: readonly MaterialId[], report: PruneReport) => void
}

/** The open dialog of the materials, if any. */
export function MaterialDialogs({ onDeleted }: Props) {
  const dialog = useMaterials((state) => state.dialog)
  switch (dialog.kind) {
    case 'none':
      return null
    case 'new':
      return <NewMaterial named={dialog.materialId ?? ''} />
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

/** Saves the table's current query as a view. */
function SaveViewDialog() {
  const problemText = useProblemText()
  const { question, setDialog } = useMaterials()
  const { views, save } = useMaterialViews()
  return (
    <NameView
      views={views}
      onSave={async (name) => {
        const saved = await save(name, JSON.stringify(question))
        return saved.ok ? null : problemText(saved.failure)
      }}
      onClose={() => setDialog({ kind: 'none' })}
    />
  )
}
