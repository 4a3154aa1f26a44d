import type { Materials } from './store.ts'
import { NewMaterial } from './new-material.tsx'
import { OpenEditor } from './open-editor.tsx'
import { RefuseDialog } from './refuse-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { SaveViewDialog } from './save-view-dialog.tsx'
import { TagsDialog } from './tags-dialog.tsx'

/** The dialog that stands over the materials, if one does. */
export function MaterialDialogs({ useMaterials, useRows, useViews }: Materials) {
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
    case 'view':
      return <SaveViewDialog useMaterials={useMaterials} useViews={useViews} />
  }
}
