import type { AskedFace } from '../../../contract/domain/asked-faces.ts'
import type { CallbackHead } from '../../../contract/protocol/callback.ts'
import type { CallbackFailure } from '../../../contract/protocol/failure.ts'
import type { ExportFailure } from '../../../contract/domain/bundle/failure.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import type { ExportCounts, ExportPlan } from '../../../contract/ipc/exports.ts'
import type { TaskProgress } from '../../../contract/ipc/tasks.ts'
import type { JsonLevel, JsonPiece } from '../../../contract/ipc/versions.ts'
import type { Result } from '../../../contract/result.ts'
import type { MediaReference } from '../../../contract/domain/changes.ts'
import type { MediaFile } from '../../../contract/domain/version.ts'
import type { BundleReport, ExportOptions, ExportTarget } from '../../use-cases/exporting/export-bundle.ts'
import type { BundleSource } from '../../use-cases/exporting/source.ts'
import type { WholeCallback } from '../../use-cases/intake/read-callback.ts'
import type { DamagedText, PageJob, PreparedPage, PreparedTexts, TextsJob } from '../../use-cases/review/jobs.ts'
import type { BlobLocation } from '../../platform/disk/blob-location.ts'

/** The font families that a page names in its own CSS, those it brings by an `@font-face` of its own, and what its texts ask for. */
export interface PageFamilies {
  readonly families: readonly string[]
  readonly own: readonly string[]
  readonly asked: readonly AskedFace[]
}

export type PlannedExport = Omit<ExportPlan, 'references' | 'counts' | 'leftOut'> & {
  readonly report: BundleReport
  readonly counts: ExportCounts
}

interface PlaceInJson {
  readonly text: BlobLocation
  readonly path: readonly (string | number)[]
  /** Members of a level, UTF-16 units of a value. */
  readonly offset: number
  readonly limit: number
}

/** What can be done beside the main thread, with what each job is given and ends with. */
export interface BackgroundJobs {
  jsonLevel: { input: PlaceInJson; output: JsonLevel | null }
  jsonPiece: { input: PlaceInJson; output: JsonPiece | null }
  /** Null when the page cannot be read. */
  pageWords: { input: BlobLocation; output: string | null }
  /** Null when one of the texts cannot be read. */
  mediaReferences: {
    input: {
      readonly texts: readonly BlobLocation[]
      readonly own: readonly Sha256[]
      readonly bases: readonly string[] | null
    }
    output: readonly MediaReference[] | null
  }
  pageFamilies: { input: readonly BlobLocation[]; output: readonly PageFamilies[] }
  export: {
    input: {
      readonly source: Pick<BundleSource, 'site' | 'pages' | 'fonts'>
      readonly target: ExportTarget
      readonly options: ExportOptions
      readonly isDryRun: boolean
    }
    output: Result<PlannedExport, ExportFailure>
  }
  reviewPage: { input: PageJob; output: Result<PreparedPage, DamagedText> }
  callbackHead: { input: Uint8Array; output: Result<CallbackHead, CallbackFailure> }
  callbackWhole: { input: Uint8Array; output: Result<WholeCallback, CallbackFailure> }
  reviewTexts: { input: TextsJob; output: Result<PreparedTexts, DamagedText> }
}

export type JobName = keyof BackgroundJobs

/** What a job may ask the main thread, which alone has the index. */
export interface Questions {
  place: { input: Sha256; output: BlobLocation | null }
  mediaAt: { input: string; output: MediaFile | null }
}

export type Ask = <Name extends keyof Questions>(
  name: Name,
  input: Questions[Name]['input'],
) => Promise<Questions[Name]['output']>

/** What a job has beside its input. */
export interface JobSurroundings {
  readonly ask: Ask
  readonly signal: AbortSignal
  readonly progress: (progress: TaskProgress) => void
}

/** To the thread. */
export type ToThread =
  | { readonly kind: 'job'; readonly name: JobName; readonly input: unknown }
  | { readonly kind: 'answer'; readonly number: number; readonly output: unknown }
  | { readonly kind: 'cancel' }

/** From the thread; a job ends with `done`, or with the end of the thread. */
export type FromThread =
  | { readonly kind: 'progress'; readonly progress: TaskProgress }
  | { readonly kind: 'ask'; readonly number: number; readonly name: keyof Questions; readonly input: unknown }
  | { readonly kind: 'done'; readonly output: unknown }
  | { readonly kind: 'cancelled' }
