import type { MaterialSession } from '@galley/library/records'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** Warn this long before the editor history may expire. */
const warningMs = 2 * dayMs

/**
 * How much longer the service keeps the editor history at least: whole days, or hours on the last day. `never`: no
 * session was opened; `over`: it may have expired.
 */
export type Rollback =
  | { readonly kind: 'never' | 'over' }
  | { readonly kind: 'kept'; readonly unit: 'days' | 'hours'; readonly count: number; readonly isEnding: boolean }

/** The remaining editor history of a session at `nowMs`. */
export function rollbackOf(session: MaterialSession | null, nowMs: number): Rollback {
  if (session === null) return { kind: 'never' }
  const leftMs = Date.parse(session.keptUntil) - nowMs
  if (!(leftMs > 0)) return { kind: 'over' }
  const isEnding = leftMs <= warningMs
  return leftMs >= dayMs
    ? { kind: 'kept', unit: 'days', count: Math.floor(leftMs / dayMs), isEnding }
    : { kind: 'kept', unit: 'hours', count: Math.floor(leftMs / hourMs), isEnding }
}
