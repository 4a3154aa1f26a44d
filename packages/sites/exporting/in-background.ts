import type { IndexReads, TaskContext, Vault } from '@galley/library'
import type { ExportFailure, Site } from '@galley/library/records'
import type { Background } from '@galley/platform'
import type { Result, Sha256, VersionId } from '@galley/wire'

import type { ExportedBundle } from './export-bundle.ts'
import type { ExportJobs, PageInTheme, PageInThemeInput } from './jobs.ts'
import type { UnknownChoice } from './library-source.ts'
import { librarySource } from './library-source.ts'
import type { BundleSource } from './source.ts'
import { withTargetLock } from './target-lock.ts'

/** Answers a job's questions about the index. `source`: of a job that exports a site. */
export const answerFrom =
  (
    { index, vault }: { readonly index: Pick<IndexReads, 'blobs'>; readonly vault: Vault },
    source: Pick<BundleSource, 'mediaAt'> | null = null,
  ) =>
  async (name: string, input: unknown): Promise<unknown> => {
    // Meets the wire: the two questions of `ExportJobs`.
    if (name === 'mediaAt') return (await source?.mediaAt(input as string)) ?? null
    const blob = index.blobs.find(input as Sha256)
    return blob && (await vault.locate(blob))
  }

/** The parts of a source that can be sent to a thread; the job asks for the rest. */
export const jobSource = ({
  site,
  pages,
  fonts,
  cacheFolder,
}: BundleSource): ExportJobs['export']['input']['source'] => ({
  site,
  pages,
  fonts,
  ...(cacheFolder !== undefined && { cacheFolder }),
})

/** Runs an export in a thread and answers its questions about the index. Rejects if it is cancelled. */
export async function exportInBackground(
  { background, index, vault }: BackgroundPorts,
  source: BundleSource,
  job: Omit<ExportJobs['export']['input'], 'source'>,
  context: TaskContext,
): Promise<Result<ExportedBundle, ExportFailure>> {
  const run = () => {
    const { signal, progress } = context
    const answer = answerFrom({ index, vault }, source)
    return background.run('export', { ...job, source: jobSource(source) }, { signal, progress, answer })
  }
  return job.isDryRun ? run() : withTargetLock(job.target, run)
}

interface BackgroundPorts {
  readonly background: Background<ExportJobs>
  readonly index: IndexReads
  readonly vault: Vault
}

/** Renders a version of a page inside the theme of its site, as it would be published, whatever keeps it back now. */
export async function pageInBackground(
  {
    background,
    index,
    vault,
  }: Omit<BackgroundPorts, 'background'> & { readonly background: Background<Pick<ExportJobs, 'pageInTheme'>> },
  site: Site,
  { versionId, at, ...job }: Omit<PageInThemeInput, 'source'> & { readonly versionId: VersionId; readonly at: Date },
): Promise<Result<PageInTheme, ExportFailure | UnknownChoice>> {
  const { materialId } = job
  const choice = { materials: [], pins: new Map([[materialId, versionId]]), even: materialId, at }
  const source = await librarySource(index, vault, site, choice)
  if (!source.ok) return source
  const answer = answerFrom({ index, vault }, source.value)
  return background.run('pageInTheme', { ...job, source: jobSource(source.value) }, { answer })
}
