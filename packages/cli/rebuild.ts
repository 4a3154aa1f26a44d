import type { LostEntries } from '@galley/library'
import { rebuildLibrary } from '@galley/library'
import { counted } from '@galley/platform'
import { readMembership } from '@galley/team'

import { CommandFailure, command } from './command.ts'
import { openingFailure } from './open-library.ts'
import { byDefault, choice } from './option.ts'

const reasons: Record<LostEntries['reason'], string> = {
  damaged: 'is damaged in the log; its line was moved to lost-and-found',
  missing: 'is missing from the log',
  contradicts: 'depends on missing entries',
  only_in_old_index:
    'is not in the log, only in the index or the checkpoints that were set aside; to keep it, move those back to their place and run galley rebuild --from index',
  only_in_old_log: 'is in the old log but not in the index, so the new log lacks it; saves in it were acknowledged',
  cut_off:
    'is missing at the end of the log; if it was a save, it was acknowledged and is lost: have the service send it again',
}

export const rebuild = command({
  name: 'rebuild',
  summary: 'rebuild the index of a library from its log',
  detail: 'It exits with 1 if entries are lost.',
  options: {
    from: byDefault(
      choice(['log', 'index'], 'what is read: the log, or the index, from which a new log is written'),
      'log',
    ),
  },
  examples: ['', '--from index'],
  async run(context, { from }) {
    if (from === 'index' && readMembership(context.libraryFolder) !== null)
      throw new CommandFailure(
        'team_unsupported',
        'A team library keeps its log in the bucket, where the whole team reads it, so one computer cannot replace it. Nothing was changed. To rebuild the index from the log of the team, run galley rebuild --from log. Damaged entries on this computer are fetched from the bucket again.',
      )
    const report = await rebuildLibrary(context.libraryFolder, { from, now: () => new Date() }).catch(
      (error: unknown) => {
        throw openingFailure(error)
      },
    )
    const { position, fromCheckpoint, materials, versions, setAside, logSetAside, lost, ms } = report
    const lines = [
      `Index rebuilt from the log: ${counted(materials, 'material')}, ${counted(versions, 'version')}.`,
      ...(setAside === null ? [] : [`The old index is kept as ${setAside}.`]),
      ...(logSetAside === null ? [] : [`The old log is kept as ${logSetAside}.`]),
      ...lost.map(({ id, reason }) => `Lost: entry ${id} ${reasons[reason]}.`),
    ]
    return {
      json: {
        position,
        from_checkpoint: fromCheckpoint,
        materials,
        versions,
        set_aside: setAside,
        log_set_aside: logSetAside,
        lost,
        ms,
      },
      text: lines.join('\n'),
      exitCode: lost.length === 0 ? 0 : 1,
    }
  },
})
