import type { ExportFailure } from '../../../contract/domain/bundle/failure.ts'
import type { Layout } from '../../../contract/domain/bundle/layout.ts'
import { movedPages } from '../../../contract/domain/bundle/moved-pages.ts'
import { formerFiles } from '../../../contract/domain/bundle/paths.ts'
import type { MediaFile } from '../../../contract/domain/version.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { BlobLocation } from '../../platform/disk/blob-location.ts'
import { blobChunks } from '../../platform/disk/blob-location.ts'
import { realDisk } from '../../platform/disk/disk.ts'
import { isSystemError, shownCode } from '../../platform/disk/system-error.ts'
import type { JobContext } from '../../platform/threads/serve-jobs.ts'
import type { Bundle } from './bundle.ts'
import type { CheckOptions } from './compare-folder.ts'
import { prepareBundle, writeBundle } from './export-bundle.ts'
import { planFolder } from './folder.ts'
import type { ExportJobs, PlannedExport } from './jobs.ts'
import type { PageCache } from './page-cache.ts'
import { withPageCache } from './page-cache.ts'
import type { BundleSource } from './source.ts'
import type { ExportTarget } from './target-lock.ts'
import type { CheckedTheme, ThemeToCheck } from './theme-check.ts'
import { checkTheme } from './theme-check.ts'
import { watchFor } from './watch.ts'
import { zipCounts, zipToReplace } from './zip.ts'

/**
 * Runs an export in a background thread, which reads and writes files and asks the main thread about the index. A dry
 * run ends before the first write.
 */
export async function exportHere(
  { source: given, target, options, isDryRun }: ExportJobs['export']['input'],
  { ask, signal, progress }: JobContext,
): Promise<Result<PlannedExport, ExportFailure>> {
  const watch = watchFor(signal, progress)
  const source = sourceIn(given, ask)
  const run = async (cache: PageCache): Promise<Result<PlannedExport, ExportFailure>> => {
    const prepared = await prepareBundle(source, options, watch, cache)
    if (!prepared.ok) return prepared
    const { bundle, layout } = prepared.value
    watch('comparing', 0, bundle.files.length, 'files')
    // A real run does the thorough check while it writes.
    const changes = await changesOf(target, bundle, { isThorough: isDryRun && options.verify === true, watch })
    if (!changes.ok) return changes
    const plan = describe(layout, bundle, changes.value)
    if (isDryRun) return ok(plan)
    const written = await writeBundle({ bundle, target, options, watch })
    if (!written.ok) return written
    const { files, added, changed, removed, unchanged, bytes } = written.value
    return ok({ ...plan, counts: { files, added, changed, removed, unchanged, bytes }, report: written.value })
  }
  try {
    return await withPageCache(source, run)
  } catch (error) {
    if (isSystemError(error)) return fail({ kind: 'io_failed', code: shownCode(error), path: error.path ?? null })
    throw error
  }
}

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

interface Changes {
  readonly counts: PlannedExport['counts']
  readonly added: ReadonlySet<string>
  readonly changed: ReadonlySet<string>
  readonly removed: readonly string[]
}

async function changesOf(
  target: ExportTarget,
  bundle: Bundle,
  checks: CheckOptions,
): Promise<Result<Changes, ExportFailure>> {
  if (target.kind === 'zip') {
    const earlier = await zipToReplace(target.file)
    if (!earlier.ok) return earlier
    const now = new Set(bundle.files.map(({ path }) => path))
    const differing = bundle.files.filter(({ path, sha256 }) => earlier.value.get(path) !== sha256)
    return ok({
      counts: zipCounts(bundle.files, earlier.value),
      added: new Set(differing.filter(({ path }) => !earlier.value.has(path)).map(({ path }) => path)),
      changed: new Set(differing.filter(({ path }) => earlier.value.has(path)).map(({ path }) => path)),
      removed: [...earlier.value.keys()].filter((path) => !now.has(path)),
    })
  }
  const planned = await planFolder(target.directory, bundle, realDisk, checks)
  if (!planned.ok) return planned
  const { counts, added, wanted, stale } = planned.value
  return ok({
    counts,
    added,
    changed: new Set(wanted.map(({ path }) => path).filter((path) => !added.has(path))),
    removed: stale,
  })
}

function describe({ pages }: Layout, bundle: Bundle, { counts, added, changed, removed }: Changes): PlannedExport {
  const moved = movedPages(
    pages.map(({ path, redirectsFrom }) => ({ path, formerPaths: formerFiles(redirectsFrom) })),
    { isAdded: (path) => added.has(path), isChanged: (path) => changed.has(path) },
  )
  return {
    report: { ...counts, sha256: bundle.sha256, links: bundle.links },
    counts,
    added: [...added],
    changed: [...changed],
    removed,
    sha256: bundle.sha256,
    pages: pages.map(({ materialId, versionId, title, path, verdict, notes }) => ({
      materialId,
      versionId,
      title,
      path,
      verdict,
      change: added.has(path) ? 'added' : changed.has(path) ? 'changed' : 'unchanged',
      movedFrom: moved.get(path) ?? null,
      notes,
    })),
  }
}
