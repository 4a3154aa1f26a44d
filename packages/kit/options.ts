import type { RunOptions } from './drive/run.ts'
import { isLoopback } from './protocol/hosts.ts'
import type { Outcome } from './report/report.ts'
import type { Case } from './suite/case.ts'

/** The port of the kit where the base URL names none. */
export const usualPort = 8788

/** Where the downloads of a base URL arrive: at its port if it is on this computer. */
export const portOf = (baseUrl: URL): number => (isLoopback(baseUrl.hostname) ? Number(baseUrl.port || 80) : usualPort)

/** The options of a conformance run. */
export interface Options extends RunOptions {
  /** Port on this machine where the downloads of `baseUrl` arrive. */
  readonly port: number
  /** Ids of the cases to run; null for all. */
  readonly only: readonly string[] | null
  /** Ids of the cases to leave out. */
  readonly skip: readonly string[]
  readonly slow: boolean
  /** Waits until the backend opens a session, and tests its material: some backends learn of a material only this way. */
  readonly waitForOpen: boolean
  /** Whether backend and kit see the same disk, outside of any container; nothing else proves it. */
  readonly sameDisk: boolean
  readonly signal: AbortSignal
  readonly onOutcome: (outcome: Outcome, done: number, total: number) => void
  /** Called every few seconds while a case runs. */
  readonly onWaiting: (each: Case, ms: number) => void
}
