import type { Report } from '@galley/kit'
import type { Answer } from '@galley/library/records'
import type { FaultKind } from '@galley/service/faults'
import { faultKinds } from '@galley/service/faults'
import { keysIn } from '@galley/wire'
import { z } from 'zod'

import type { Started } from './call.ts'
import { asks, inSite, nothing } from './call.ts'

/** Every fault that the emulator offers, in its order. */
export const faultNames: readonly FaultKind[] = keysIn(faultKinds)

/** Where the kit serves its archives, unless something else is entered. */
export const kitBaseUrl = 'http://127.0.0.1:8788/integration'

/** A running emulator of one site. */
export interface EmulatorState {
  /** Of its start page. */
  readonly url: string
  /** The base URL that a site needs to use it. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Ordered, and not happened yet. */
  readonly faults: readonly { readonly kind: FaultKind; readonly times: number }[]
}

/** The last run of a site, in the words of the kit, which are English. A run that was cancelled is cut short. */
export interface KitReport extends Report {
  readonly callbackUrl: string
  /** Whether the command would end with 0. */
  readonly isPassing: boolean
}

const text = z.string().min(1).max(2000)
const url = z.url({ protocol: /^https?$/ }).max(2000)

/** Credentials that a backend asks of callers; without a password, the user is a bearer token. */
const credentials = z.strictObject({
  user: text.regex(/^[\x20-\x7e]+$/),
  password: z.string().max(2000).nullable(),
})

const kitRun = inSite.extend({
  /** Null: the listener of this site, with its key, secret and credentials. */
  backend: z.strictObject({ callbackUrl: url, apiKey: text, secret: text, auth: credentials.nullable() }).nullable(),
  /** Where the backend downloads from. */
  baseUrl: url,
  materials: z.array(text).min(1).max(8),
  /** Titles of themes; null: all. */
  themes: z.array(text).max(100).nullable(),
})
export type KitRun = z.infer<typeof kitRun>

export const reportFormats = ['text', 'json', 'junit'] as const

export const developerCalls = {
  /** Null while none runs. */
  readEmulator: asks(inSite).gives<EmulatorState | null>(),
  startEmulator: asks(inSite).gives<Answer<EmulatorState | null>>(),
  stopEmulator: asks(inSite).gives<null>(),
  /** Opens its start page in the browser. */
  openEmulator: asks(inSite).gives<null>(),
  /** Orders a fault for the next callback or download that it applies to. */
  orderFault: asks(inSite.extend({ kind: z.enum(faultNames) })).gives<null>(),
  clearFaults: asks(inSite).gives<null>(),
  /** The titles of the kit's themes, in its order. */
  kitThemes: asks(nothing).gives<readonly string[]>(),
  /** A person agrees in a system dialog; then the run is a task. */
  startKit: asks(kitRun).gives<Started>(),
  /** The last report of the site in this session, of a cancelled run too; null: none. */
  readKitReport: asks(inSite).gives<KitReport | null>(),
  /** Asks for a file and writes the last report of the site to it, as the command does; null if the person cancels. */
  saveKitReport: asks(inSite.extend({ format: z.enum(reportFormats) })).gives<Answer<string | null>>(),
}
