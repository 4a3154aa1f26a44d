import { z } from 'zod'

import type { CallbackRecord } from './callback-record.ts'
import type { ListenerState } from './listener-state.ts'
import type { MaterialSummary } from './material.ts'
import type { Result } from './result.ts'
import type { SiteSummary } from './site.ts'
import type { SnapshotSummary } from './snapshot.ts'
import type { MediaFile, VersionSummary } from './version.ts'

/** Why a call did not do what was asked, in words for the person at the window. */
export interface CallProblem {
  readonly code: string
  readonly message: string
  /** Names the form field that has to change, where there is one. */
  readonly field?: string
}

/** What one version is made of, for the inspector. */
export interface VersionDetail {
  readonly version: VersionSummary
  readonly media: readonly MediaFile[]
  /** The stored page, cut after 200,000 characters. */
  readonly html: string
  readonly metadata: string
}

/** A session that was opened, and whether the browser was asked to show it. */
export interface OpenedEditor {
  readonly url: string
  readonly reused: boolean
  readonly shownInBrowser: boolean
}

/** Everything the window can ask main for: a name, one argument, one answer. */
export interface Calls {
  listSites: { input: undefined; output: readonly SiteSummary[] }
  saveSite: { input: z.infer<typeof siteForm>; output: Result<SiteSummary, CallProblem> }
  removeSite: { input: { site: string }; output: Result<null, CallProblem> }
  /** `text` empty: all, last saved first; else full-text hits, best first. At most 500 rows. */
  listMaterials: { input: { site: string; text: string }; output: readonly MaterialSummary[] }
  listVersions: { input: { site: string; materialId: string }; output: readonly VersionSummary[] }
  showVersion: {
    input: { site: string; materialId: string; versionId: string }
    output: Result<VersionDetail, CallProblem>
  }
  listSnapshots: { input: { site: string }; output: readonly SnapshotSummary[] }
  listCallbacks: { input: { site: string | null; limit: number }; output: readonly CallbackRecord[] }
  openEditor: {
    input: { site: string; materialId: string; title: string | null }
    output: Result<OpenedEditor, CallProblem>
  }
  listenerState: { input: undefined; output: ListenerState }
  startListener: { input: undefined; output: ListenerState }
  libraryFolder: { input: undefined; output: string }
}

/** What main tells every window. Pushes only say that something changed; the feature reads again. */
export interface Events {
  listenerState: ListenerState
  /** Rows of these subjects may differ from what was last read. */
  changed: { readonly subjects: readonly ('sites' | 'materials' | 'snapshots' | 'callbacks')[] }
}

/** What a person types to add or change a site; the secret goes in and never comes out. */
export const siteForm = z.strictObject({
  id: z.string(),
  name: z.string(),
  environment: z.enum(['dev', 'prod']),
  baseUrl: z.string(),
  apiKey: z.string(),
  callbackUrl: z.string(),
  publicUrl: z.string().nullable(),
  allowedDomains: z.array(z.string()),
  unknownMaterials: z.enum(['refuse', 'accept']),
  callbackAuth: z.enum(['none', 'basic', 'bearer']),
  /** null keeps the stored secret. */
  secret: z.string().nullable(),
})

const inSite = z.strictObject({ site: z.string() })
const inMaterial = z.strictObject({ site: z.string(), materialId: z.string() })

/** How main checks each argument; forgetting a call does not compile. */
export const callInputs: { readonly [Name in keyof Calls]: z.ZodType<Calls[Name]['input']> } = {
  listSites: z.undefined(),
  saveSite: siteForm,
  removeSite: inSite,
  listMaterials: z.strictObject({ site: z.string(), text: z.string().max(1000) }),
  listVersions: inMaterial,
  showVersion: z.strictObject({ site: z.string(), materialId: z.string(), versionId: z.string() }),
  listSnapshots: inSite,
  listCallbacks: z.strictObject({ site: z.string().nullable(), limit: z.int().min(1).max(1000) }),
  openEditor: z.strictObject({ site: z.string(), materialId: z.string().min(1), title: z.string().nullable() }),
  listenerState: z.undefined(),
  startListener: z.undefined(),
  libraryFolder: z.undefined(),
}

export type Handlers = {
  readonly [Name in keyof Calls]: (
    input: Calls[Name]['input'],
  ) => Calls[Name]['output'] | Promise<Calls[Name]['output']>
}

/** What the preload puts on `window.galley`. */
export interface Bridge {
  call<Name extends keyof Calls>(name: Name, input: Calls[Name]['input']): Promise<Calls[Name]['output']>
  /** Calls back on every push until the returned function is called. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void
}
