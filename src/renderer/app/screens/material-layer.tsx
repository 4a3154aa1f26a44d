import { useEffect, useEffectEvent } from 'react'

import type { VersionRow } from '../../../contract/ipc/versions.ts'
import type { CommandId } from '../../../contract/shortcuts.ts'
import type { Command } from '../../commands/commands.ts'
import { MaterialDialogs } from '../../features/materials/dialogs.tsx'
import { RejectDialog } from '../../features/versions/reject-dialog.tsx'
import { chosenVersion, neighbours } from '../../features/versions/store.ts'
import type { Versions } from '../../features/versions/store.ts'
import type { VersionWays } from '../../features/versions/version-ways.ts'
import { viewNow } from '../../navigation/navigation.ts'
import type { Services } from '../../services.ts'
import type { MaterialParts } from './material-stores.ts'
import { useVersionWays } from './material-ways.ts'

interface Props {
  readonly services: Services
  readonly parts: MaterialParts
}

/** What stands over Materials and Material, whichever of their panes are shown: dialogs, and the commands of a version. */
export function MaterialLayer({ services, parts }: Props) {
  const { materials, versions } = parts
  const ways = useVersionWays(services, parts)
  const { rejecting, setRejecting } = versions.useVersions()
  useVersionCommands(services, versions, ways)
  return (
    <>
      <MaterialDialogs {...materials} />
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
