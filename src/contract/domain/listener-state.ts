/** The current state of a library's listener. */
export type ListenerState =
  | { readonly kind: 'starting' }
  /** `isDiskBroken`: the disk reported an error, and no save is acknowledged until Galley is restarted. */
  | { readonly kind: 'listening'; readonly url: string; readonly isDiskBroken?: true }
  /** Another process serves this library. */
  | { readonly kind: 'elsewhere'; readonly processId: number; readonly url: string | null }
  /**
   * `code` is the system's error code, such as EADDRINUSE; `library_unusable` if the library cannot be written;
   * `log_mismatch` if its index does not belong to its log.
   */
  | { readonly kind: 'failed'; readonly reason: string; readonly code?: string; readonly port?: number }
  /** Accepts no more saves, and waits for running ones. */
  | { readonly kind: 'stopping' }
  | { readonly kind: 'stopped' }

/** Whether it answers saves without storing them. */
export const isDiskBroken = (state: ListenerState | null): boolean =>
  state?.kind === 'listening' && state.isDiskBroken === true

/** Why a listener could not start, grouped by the fix. */
export type ListenFault = 'taken' | 'forbidden' | 'foreign' | 'library' | 'mismatch' | 'other'

const faults: ReadonlyMap<string | undefined, ListenFault> = new Map([
  ['EADDRINUSE', 'taken'],
  ['EACCES', 'forbidden'],
  ['EADDRNOTAVAIL', 'foreign'],
  ['ENOTFOUND', 'foreign'],
  ['EAI_AGAIN', 'foreign'],
  ['library_unusable', 'library'],
  ['log_mismatch', 'mismatch'],
])

export const listenFault = (code: string | undefined): ListenFault => faults.get(code) ?? 'other'
