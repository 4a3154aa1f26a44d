import type { ExportFailure } from '@galley/library/records'
import type { Result } from '@galley/wire'

import type { ExportOptions, ExportedBundle } from './export-bundle.ts'
import type { BundleSource } from './source.ts'
import type { ExportTarget } from './target-lock.ts'
import type { CheckedTheme, ThemeToCheck } from './theme-check.ts'

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
  /** Reads a theme and makes a small site with it. */
  checkTheme: { input: ThemeToCheck; output: CheckedTheme }
}
