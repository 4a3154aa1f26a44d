import { counted } from '@galley/platform'

import type { LookedAt } from '../db/open/look.ts'
import type { OpeningNote } from '../db/open/open-library.ts'
import type { RebuiltNote } from '../db/open/replace-index.ts'
import type { RebuildCause } from '../records/library-opening.ts'

const causes: Record<RebuildCause, string> = {
  missing: 'The index was missing',
  damaged: 'The index was damaged',
  other_schema: 'The index was written by another version of Galley',
  other_library: 'The index belonged to another library',
  behind_log: 'The index was an older copy that ended before the log begins',
  behind_checkpoint: 'The index was an older copy than a checkpoint, and the log lacks entries between them',
  asked: 'A rebuild of the index was requested',
  new_log: 'A new log was written from the old index on request',
}

/** Describes what a look at a library has found, and what to do about it. */
export const describeLook = (
  found: Exclude<LookedAt, { readonly kind: 'absent' | 'sound' }>,
): readonly [detail: string, fix: string] =>
  found.kind === 'lost_log'
    ? ['its log is missing', 'Nothing was changed. Run galley rebuild --from index, or restore a backup.']
    : [
        found.cause === null
          ? 'a part of it is missing or of another library'
          : causes[found.cause].replace(/^The/, 'the'),
        'No save is lost that is in the log, and nothing was changed. The next command that opens the library repairs it; then run galley fsck.',
      ]

/** Describes what happened when a library was opened, and what it means for the data. */
export function describeOpening(note: OpeningNote): string {
  switch (note.kind) {
    case 'rebuilt':
      return describeRebuilt(note)
    case 'local_lost':
      return (
        'local.db was missing, damaged or of another library, and was created again. No save is lost, but the settings of this computer, saved views, the ' +
        'list of rejected callbacks and the confirmations of sites were reset. Run galley site add SITE to confirm a site again.'
      )
    case 'copy_renewed':
      return (
        "This computer's copy of the team's log was damaged or incomplete, so a new copy was started. No save is lost: the " +
        `bucket of the team has every entry.${note.setAside === null ? '' : ` The old copy is kept as ${note.setAside}.`}`
      )
    case 'cut_off':
      if (note.isCopy)
        return (
          `${entries(note)} ${note.count === 1 ? 'is' : 'are'} missing at the end of this computer's copy of the team's log. ` +
          'No save is lost: the bucket of the team has every entry, and this computer fetches the missing ones when the bucket ' +
          'responds. Until then, they are not listed.'
        )
      return (
        `${entries(note)} of the log ${note.count === 1 ? 'is' : 'are'} missing at its end: this computer's list of callbacks ` +
        'has followed them. Saves in them were acknowledged and are lost. Have the service send them again, or restore a ' +
        'backup into a new folder; galley callbacks lists them.'
      )
    case 'unapplied':
      return `${entries(note.what)} of the log cannot be applied (${note.what.kind}). Run galley fsck to see what is affected.`
  }
}

function describeRebuilt({ cause, report, setAside, oldLog }: RebuiltNote): string {
  const { materials, versions } = report
  const made = `${causes[cause]}, so the index was rebuilt from ${cause === 'behind_checkpoint' ? 'the checkpoint and ' : ''}the log: ${counted(materials, 'material')}, ${counted(versions, 'version')}.`
  const kept = setAside === null ? '' : ` The old index is kept as ${setAside}.`
  const lost = report.lost.map((what) => ` ${entries(what)} of the log could not be applied (${what.kind}).`)
  const log = oldLog?.setAside ? ` The old log is kept as ${oldLog.setAside}.` : ''
  const onlyThere = oldLog?.onlyThere
    ? ` The new log lacks ${entries(oldLog.onlyThere).toLowerCase()} of it. Saves among them were acknowledged.`
    : ''
  return `${made}${kept}${lost.join('')}${log}${onlyThere}`
}

const entries = ({ position, count }: { readonly position: number; readonly count: number }): string =>
  count === 1 ? `Entry ${position}` : `Entries ${position} to ${position + count - 1}`
