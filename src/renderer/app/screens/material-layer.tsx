import { useEffect } from 'react'

import { useCommands } from '../../commands/commands.ts'
import { MaterialDialogs } from '../../features/materials/dialogs.tsx'
import { RejectDialog } from '../../features/versions/reject-dialog.tsx'
import { useVersions } from '../../features/versions/store.ts'
import { GoBackLayer } from './go-back-layer.tsx'
import { useMaterialActions } from './material-actions.ts'

/** Dialogs and commands shared by Materials and Material, independent of the visible panes. */
export function MaterialLayer() {
  const { version, deleted, commandsOfShown } = useMaterialActions()
  const register = useCommands((state) => state.register)
  const { rejecting, setRejecting } = useVersions()
  useEffect(() => register(commandsOfShown), [register, commandsOfShown])
  return (
    <>
      <GoBackLayer />
      <MaterialDialogs onDeleted={deleted} />
      {rejecting !== null && (
        <RejectDialog version={rejecting} decide={version.decide} onClose={() => setRejecting(null)} />
      )}
    </>
  )
}
