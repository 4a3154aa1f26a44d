import type { OpenedLibrary, OpeningNote } from '../db/open/open-library.ts'
import type { LibraryOpening, OpeningFact } from '../records/library-opening.ts'
import { lostOf } from './rebuild.ts'

/** The state of the library when it was opened, for the interface. */
export function describeLibrary({ state, index, log, notes, isRebuildRequested }: OpenedLibrary): LibraryOpening {
  return {
    state,
    isLogShort: state === 'log_mismatch' && log.holds(index.commit.mark()) === 'ahead',
    facts: notes.flatMap(factsOf),
    isRebuildRequested: isRebuildRequested(),
  }
}

function factsOf(note: OpeningNote): readonly OpeningFact[] {
  switch (note.kind) {
    case 'rebuilt': {
      const { cause, setAside, report } = note
      const { materials, versions } = report
      const lostEntries = lostOf(note).reduce((sum, { count }) => sum + count, 0)
      const logSetAside = note.oldLog?.setAside ?? null
      return [{ kind: 'rebuilt', cause, materials, versions, setAside, logSetAside, lostEntries }]
    }
    case 'local_lost':
    case 'copy_renewed':
      return [note]
    case 'cut_off':
      return [{ kind: 'cut_off', entries: note.count, isCopy: note.isCopy }]
    case 'unapplied':
      // An unlinked entry is applied too.
      return note.what.kind === 'unlinked' ? [] : [{ kind: 'unapplied', entries: note.what.count }]
  }
}
