import { GoBackDialog } from '../../domain/go-back-dialog.tsx'
import { useGoingBack } from '../../domain/going-back.ts'
import { useMaterialActions } from './material-actions.ts'

/** The dialog about an older version that a person wants back. */
export function GoBackLayer() {
  const { version } = useMaterialActions()
  const { wanted, ask } = useGoingBack()
  if (wanted === null) return null
  return <GoBackDialog version={wanted} onFiles={() => version.exportIt(wanted)} onClose={() => ask(null)} />
}
