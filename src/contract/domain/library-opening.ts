/** Whether saves may be taken. `read_only`: nothing can be written here. `log_mismatch`: index and log do not belong together, and a person has to decide. */
export type LibraryState = 'whole' | 'log_mismatch' | 'read_only'

/** Why an index was made anew at opening. `new_log`: a person had the log written again from the index. */
export type RebuildCause = 'missing' | 'damaged' | 'other_schema' | 'other_library' | 'asked' | 'new_log' | 'first_log'

/** What opening the library did besides opening it. */
export type OpeningFact =
  | {
      readonly kind: 'rebuilt'
      readonly cause: RebuildCause
      readonly materials: number
      readonly versions: number
      /** The new name of the index that was there, in the library folder; null when none was. */
      readonly setAside: string | null
      /** How many entries of the index that was there are not in the one made anew. */
      readonly lostEntries: number
    }
  /** Settings, refused callbacks and saved views of this machine were lost. */
  | { readonly kind: 'local_lost' }
  /** Entries of the log that cannot be applied. */
  | { readonly kind: 'unapplied'; readonly entries: number }

/** How the library was found when Galley started. */
export interface LibraryOpening {
  readonly state: LibraryState
  /** Of a library in `log_mismatch`: the log ends before the index does; otherwise its entry there is another one. */
  readonly isLogShort: boolean
  readonly facts: readonly OpeningFact[]
  /** The index is made anew when Galley starts next. */
  readonly isRebuildRequested: boolean
}
