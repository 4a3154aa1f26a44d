/** What the listener of a library truly does right now. */
export type ListenerState =
  | { readonly kind: 'starting' }
  /** `isDiskBroken`: the disk reported an error, and no save is acknowledged until Galley has been started anew. */
  | { readonly kind: 'listening'; readonly url: string; readonly isDiskBroken?: true }
  /** Another process serves this library; this one reads beside it. */
  | { readonly kind: 'elsewhere'; readonly processId: number; readonly url: string | null }
  /** `code` is the system's name of the fault, such as EADDRINUSE; `library_unusable` where the library cannot be
   * written, `log_mismatch` where its index does not belong to its log. */
  | { readonly kind: 'failed'; readonly reason: string; readonly code?: string; readonly port?: number }
  /** Takes no more saves, and waits for those that are under way. */
  | { readonly kind: 'stopping' }
  | { readonly kind: 'stopped' }

/** Whether it answers saves and stores none. */
export const isDiskBroken = (state: ListenerState | null): boolean =>
  state?.kind === 'listening' && state.isDiskBroken === true

/** Why a listener could not start, as far as it makes a difference to what helps. */
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
