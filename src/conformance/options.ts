import type { Case } from './case.ts'
import type { Credentials } from './drive/credentials.ts'
import type { Outcome } from './report/report.ts'

/** What the kit is told about the backend, and how it tells of its progress. */
export interface Options {
  readonly callbackUrl: URL
  readonly apiKey: string
  readonly secret: string
  /** The API root the backend is configured with; its downloads have to arrive at `port` of this machine. */
  readonly baseUrl: URL
  readonly port: number
  /** At least one, known to the backend. Cases on different materials run side by side. */
  readonly materials: readonly string[]
  readonly signatureHeader: string
  /** What the backend asks for, or null. */
  readonly auth: Credentials | null
  /** Ids of the cases to run; null for all. */
  readonly only: readonly string[] | null
  /** Ids of the cases to leave out. */
  readonly skip: readonly string[]
  readonly slow: boolean
  /** Address of the page that shows a material, with `{material}` for its id; null when none was given. */
  readonly pageTemplate: string | null
  /** Waits for a session to be opened at the kit, and judges its material: some backends learn of one only so. */
  readonly waitForOpen: boolean
  readonly signal: AbortSignal
  readonly onOutcome: (outcome: Outcome, done: number, total: number) => void
  /** Told now and then of a case that takes its time. */
  readonly onWaiting: (each: Case, ms: number) => void
}
