import { useMaterialColumns } from '../../features/materials/material-columns.tsx'
import { useMaterialMenu } from '../../features/materials/material-menu.ts'
import { WaitingPane } from '../../features/review/waiting-pane.tsx'
import { useMaterialActions } from './material-actions.ts'
import { MaterialLayer } from './material-layer.tsx'
import type { Screen } from './screen.ts'

const shown: ReadonlySet<string> = new Set(['title', 'status', 'saved'])

function ReviewList() {
  const { material } = useMaterialActions()
  const columns = useMaterialColumns().filter(({ key }) => shown.has(key))
  const menuOf = useMaterialMenu(material)
  return <WaitingPane columns={columns} onReview={material.review} menuOf={menuOf} />
}

/** The pages of a site whose current version is not approved. */
export const reviewScreen: Screen<'review'> = { List: ReviewList, Inspector: null, Layer: MaterialLayer }
