import type { CommandId, VersionRow } from '@galley/library/records'
import type { StoreApi } from 'zustand'

import type { Command } from '../../commands/commands.ts'
import type { Services } from '../../domain/services.ts'
import { currentView } from '../../navigation/navigation.ts'
import type { PagesState } from '../../stores/pages.ts'
import { chosenVersion, comparisonsOf } from './store.ts'
import type { VersionsState } from './store.ts'
import type { VersionHandlers } from './version-handlers.ts'

interface Stores {
  readonly versions: StoreApi<VersionsState>
  readonly versionRows: StoreApi<PagesState<VersionRow>>
}

/** Commands for the version that Material shows. */
export function versionCommands(
  { navigation }: Services,
  { versions, versionRows }: Stores,
  handlers: VersionHandlers,
): readonly Command[] {
  const chosen = (): VersionRow | null => chosenVersion(versions.getState(), versionRows.getState().rows)
  const isOpen = (): boolean => currentView(navigation.getState()).screen === 'material'
  const command = (id: CommandId, title: Command['title'], run: (version: VersionRow) => void): Command => ({
    id,
    group: 'materials',
    title,
    // In the materials table, letters are type-ahead and must not set a verdict.
    isAvailable: () => isOpen() && chosen() !== null,
    run: () => {
      const version = chosen()
      if (version !== null) run(version)
    },
  })
  return [
    command(
      'version.review',
      (t) => t('versions:commands.review'),
      ({ versionId }) => handlers.review(versionId, null),
    ),
    command(
      'version.compare',
      (t) => t('versions:commands.compare'),
      ({ versionId }) => {
        const { rows } = versionRows.getState()
        const { pair, previousId } = comparisonsOf(rows, versions.getState().selected, versionId)
        if (pair === null) handlers.review(versionId, previousId)
        else handlers.review(...pair)
      },
    ),
    command(
      'version.approve',
      (t) => t('versions:commands.approve'),
      (version) => void handlers.decide(version, { decision: 'approved', reason: '' }),
    ),
    command('version.reject', (t) => t('versions:commands.reject'), handlers.reject),
    {
      ...command(
        'version.clear',
        (t) => t('versions:commands.clear'),
        (version) => void handlers.decide(version, null),
      ),
      isAvailable: () => isOpen() && (chosen()?.verdict ?? null) !== null,
    },
    command(
      'version.pin',
      (t) => t('versions:commands.pin'),
      (version) => void handlers.mark(version, { pinned: !version.pinned }),
    ),
  ]
}
