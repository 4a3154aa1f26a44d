import type { ExportFailure } from '@galley/library/records'
import type { MaterialId, Result, Sha256 } from '@galley/wire'

import type { ExportOptions, ExportedBundle } from './export-bundle.ts'
import type { BundleSource } from './source.ts'
import type { ExportTarget } from './target-lock.ts'
import type { CheckedTheme, ThemeToCheck } from './theme-check.ts'

/** One page of a site inside its theme. */
export interface PageInTheme {
  readonly html: string
  /** Paths in the bundle, to which the addresses of the theme are relative. */
  readonly path: string
  readonly fontsPath: string
  readonly assets: readonly { readonly path: string; readonly name: string; readonly bytes: Uint8Array }[]
  /** Stored files that the theme shows. */
  readonly blobs: readonly { readonly path: string; readonly name: string; readonly sha256: Sha256 }[]
}

export interface PageInThemeInput {
  readonly source: ExportJobs['export']['input']['source']
  readonly themes: readonly string[]
  readonly materialId: MaterialId
  /** The stored page with addresses of its own, which stay. */
  readonly html: string
  /** Comments that begin with it are put around what was in the body of the stored page. */
  readonly mark: string
}

/**
 * The jobs of a background thread that exports need. Only the main thread has the index, so a job asks it: `locate`
 * with a SHA-256 for a `BlobLocation | null`, and `mediaAt` with a public URL for a `MediaFile | null`.
 */
export interface ExportJobs {
  export: {
    input: {
      readonly source: Pick<BundleSource, 'site' | 'pages' | 'fonts' | 'cacheFolder'>
      readonly target: ExportTarget
      readonly options: ExportOptions
      readonly isDryRun: boolean
    }
    output: Result<ExportedBundle, ExportFailure>
  }
  pageInTheme: { input: PageInThemeInput; output: Result<PageInTheme, ExportFailure> }
  /** Reads a theme and makes a small site with it. */
  checkTheme: { input: ThemeToCheck; output: CheckedTheme }
}
