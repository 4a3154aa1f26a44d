/**
 * Whether the library accepts saves. `read_only`: nothing can be written. `log_mismatch`: index and log do not belong
 * together, and a person must decide.
 */
export type LibraryState = 'whole' | 'log_mismatch' | 'read_only'

/**
 * Why the index was rebuilt when the library was opened. `behind_log`: it ended before the log begins. `behind_checkpoint`:
 * the log lacks entries between it and a checkpoint. `new_log`: a person requested a new log from the index.
 */
export type RebuildCause =
  | 'missing'
  | 'damaged'
  | 'other_schema'
  | 'other_library'
  | 'behind_log'
  | 'behind_checkpoint'
  | 'asked'
  | 'new_log'

/** Something that happened when the library was opened. */
export type OpeningFact =
  | {
      readonly kind: 'rebuilt'
      readonly cause: RebuildCause
      readonly materials: number
      readonly versions: number
      /** The new name of the previous index in the library folder; null if there was none. */
      readonly setAside: string | null
      /** The same for the log that a new one has replaced. */
      readonly logSetAside: string | null
      /** How many entries of the previous index or log the new one does not contain. */
      readonly lostEntries: number
    }
  /** This computer's settings, refused callbacks and saved views were lost. */
  | { readonly kind: 'local_lost' }
  /** Entries of the log that cannot be applied. */
  | { readonly kind: 'unapplied'; readonly entries: number }
  /**
   * Entries that were after the current end of the log, known only from this computer's list of callbacks. `isCopy`:
   * the team has them.
   */
  | { readonly kind: 'cut_off'; readonly entries: number; readonly isCopy: boolean }
  /** The copy of the team's log was damaged or incomplete. */
  | { readonly kind: 'copy_renewed'; readonly setAside: string | null }

/** The state of the library when Galley started. */
export interface LibraryOpening {
  readonly state: LibraryState
  /** For `log_mismatch`: true if the log ends before the index does; otherwise it has a different entry at that position. */
  readonly isLogShort: boolean
  readonly facts: readonly OpeningFact[]
  /** The index will be rebuilt at the next start. */
  readonly isRebuildRequested: boolean
}
