import type { ExportFailure, MediaFile } from '@galley/library/records'
import type { BlobLocation, JobContext } from '@galley/platform'
import { blobChunks } from '@galley/platform'
import type { Result } from '@galley/wire'

import type { ExportedBundle } from './export-bundle.ts'
import { exportToLocked } from './export-bundle.ts'
import type { ExportJobs } from './jobs.ts'
import type { BundleSource } from './source.ts'
import type { CheckedTheme, ThemeToCheck } from './theme-check.ts'
import { checkTheme } from './theme-check.ts'
import { watchFor } from './watch.ts'

/** Runs an export in a background thread, which asks the main thread about the index. */
export const exportHere = (
  { source, ...job }: ExportJobs['export']['input'],
  { ask, signal, progress }: JobContext,
): Promise<Result<ExportedBundle, ExportFailure>> =>
  exportToLocked({ ...job, source: sourceIn(source, ask), watch: watchFor(signal, progress) })

/** The source of a job whose index is in the main thread. */
export const sourceIn = (given: ExportJobs['export']['input']['source'], ask: JobContext['ask']): BundleSource => ({
  ...given,
  mediaAt: (url) => ask('mediaAt', url) as Promise<MediaFile | null>,
  openBlob: blobReader(ask),
})

/** Checks a theme in a background thread, which asks the main thread about the index. */
export const checkThemeHere = (theme: ThemeToCheck, { ask }: JobContext): Promise<CheckedTheme> =>
  checkTheme(theme, { openBlob: blobReader(ask) })

/** The bytes of a stored file. Reading fails if the index does not know the file, which then counts as unreadable. */
const blobReader = (ask: JobContext['ask']): BundleSource['openBlob'] =>
  async function* (sha256) {
    const place = (await ask('locate', sha256)) as BlobLocation | null
    if (place === null) throw new Error('A page names a file that the index does not')
    yield* blobChunks(place)
  }
