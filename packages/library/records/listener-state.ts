import type { Cause } from '@galley/wire'
import { causeSentence, failureWords } from '@galley/wire'

/**
 * Why no save can be stored, and until when: until Galley is restarted; until it has reopened its library, which it does
 * automatically; or until one of its own test writes succeeds.
 */
export interface StorageFault {
  readonly cause: Cause
  readonly until: 'restart' | 'reopened' | 'mended'
}

/** The current state of a library's listener. */
export type ListenerState =
  | { readonly kind: 'starting' }
  /** `fault`: why no save can be stored now. */
  | { readonly kind: 'listening'; readonly url: string; readonly fault?: StorageFault }
  /** Another process serves this library. */
  | { readonly kind: 'elsewhere'; readonly processId: number; readonly url: string | null }
  | ListenFailure
  /** Accepts no more saves, and waits for running ones. */
  | { readonly kind: 'stopping' }
  | { readonly kind: 'stopped' }

/** Why a listener did not start. */
export interface ListenFailure {
  readonly kind: 'failed'
  /**
   * The system's error code, such as EADDRINUSE; `library_unusable` if the library cannot be written; `log_mismatch` if its
   * index does not belong to its log.
   */
  readonly code: string
  readonly host?: string
  readonly port?: number
  /** Why the library cannot be used. */
  readonly cause?: Cause
}

/** The failure in English, for the command line. */
export function listenFailureSentence({ code, host, port, cause }: ListenFailure): string {
  if (code === 'log_mismatch') return failureWords({ code })
  if (cause !== undefined) return causeSentence(cause)
  return code === 'EADDRINUSE'
    ? `Port ${port} on ${host} is in use by another program, so Galley cannot use it. Stop that program, or choose another port.`
    : `Galley cannot listen on ${host}, port ${port} (${code}).`
}

/** Why it answers saves without storing them; null if it stores them. */
export const storageFault = (state: ListenerState | null): StorageFault | null =>
  state?.kind === 'listening' ? (state.fault ?? null) : null

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

/**
 * Whether a member can store saves. `team_stopped`: a person has to act, for example enter other keys;
 * `team_read_only`: the bucket can be read, but refuses writes.
 */
export type TeamReadiness =
  | { readonly state: 'ready' }
  | { readonly state: 'team_offline' | 'team_stopped' | 'team_read_only'; readonly why: Cause }
