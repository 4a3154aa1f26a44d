import type { LinkReport } from '../../../contract/domain/broken-link.ts'
import { countBroken } from '../../../contract/domain/broken-link.ts'
import { usableBaseUrl } from '../../../contract/domain/bundle/base-url.ts'
import type { ExportFailure } from '../../../contract/domain/bundle/failure.ts'
import type { Layout } from '../../../contract/domain/bundle/layout.ts'
import type { OutsideLink } from '../../../contract/domain/bundle/reference-check.ts'
import { settingsFor } from '../../../contract/domain/bundle/render/theme.ts'
import type { ExportCounts } from '../../../contract/domain/export-record.ts'
import type { PageNote } from '../../../contract/domain/page-note.ts'
import type { ThemeSettings } from '../../../contract/domain/site-model.ts'
import type { MaterialId } from '../../../contract/ids.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { Disk } from '../../platform/disk/disk.ts'
import { realDisk } from '../../platform/disk/disk.ts'
import { isSystemError, shownCode } from '../../platform/disk/system-error.ts'
import type { Bundle } from './bundle.ts'
import { makeBundle } from './bundle.ts'
import { writeFolder } from './folder.ts'
import type { PageCache } from './page-cache.ts'
import { noCache, withPageCache } from './page-cache.ts'
import { planBundle } from './plan.ts'
import type { BundleSource } from './source.ts'
import type { ExportTarget } from './target-lock.ts'
import { withTargetLock } from './target-lock.ts'
import { readTheme } from './theme-folders.ts'
import type { Watch } from './watch.ts'
import { unwatched } from './watch.ts'
import { writeZip } from './zip.ts'

export interface ExportOptions {
  /** The address that the bundle will have; null: the site's address, or any if the site has none. */
  readonly baseUrl: string | null
  /** What broken references do: fail the export before anything is written, be reported, or go unchecked. */
  readonly check: 'block' | 'warn' | 'off'
  /** The sources of the theme, the chosen one before the default one, see `readTheme`. */
  readonly themes: readonly string[]
  /** Values of the theme's settings. Defaults to those of the site. */
  readonly themeSettings?: ThemeSettings
  /** Reads back and compares every file of the target. */
  readonly verify?: boolean
  /** Called for every link to another site. */
  readonly onOutside?: (link: OutsideLink) => void
}

export interface BundleReport extends ExportCounts {
  /**
   * SHA-256 of the manifest, which lists the hash of every other file. The same bundle has the same hash in a folder
   * and in a ZIP; a change of any byte changes it.
   */
  readonly sha256: string
  readonly links: LinkReport
  /** With `verify`: how many files of the target were read, and which ones had to be rewritten. */
  readonly verified?: { readonly files: number; readonly wrong: readonly string[] }
}

/** What an export wrote, and what the authors of its pages should know. */
export interface ExportedBundle extends BundleReport {
  readonly noted: readonly Noted[]
}

/** A page with notes. */
export interface Noted {
  readonly materialId: MaterialId
  readonly notes: readonly PageNote[]
}

export interface ExportJob {
  readonly source: BundleSource
  readonly target: ExportTarget
  readonly options: ExportOptions
  readonly disk?: Disk
  readonly watch?: Watch
}

/** Exports the chosen versions of a site as a static site. The same input gives the same bytes on every machine. */
export async function exportBundle(job: ExportJob): Promise<Result<ExportedBundle, ExportFailure>> {
  try {
    return await withTargetLock(job.target, () => run(job))
  } catch (error) {
    if (isSystemError(error)) return fail({ kind: 'io_failed', code: shownCode(error), path: error.path ?? null })
    throw error
  }
}

async function run({
  source,
  target,
  options,
  disk = realDisk,
  watch = unwatched,
}: ExportJob): Promise<Result<ExportedBundle, ExportFailure>> {
  return withPageCache(source, async (cache) => {
    const prepared = await prepareBundle(source, options, watch, cache)
    if (!prepared.ok) return prepared
    const { bundle, layout } = prepared.value
    const written = await writeBundle({ bundle, target, options, disk, watch })
    const noted = layout.pages
      .filter(({ notes }) => notes.length > 0)
      .map(({ materialId, notes }) => ({ materialId, notes }))
    return written.ok ? ok({ ...written.value, noted }) : written
  })
}

/** Updates the target to match the bundle. */
export async function writeBundle({
  bundle,
  target,
  options: { verify = false },
  disk = realDisk,
  watch,
}: Pick<ExportJob, 'target' | 'options' | 'disk'> & { readonly bundle: Bundle; readonly watch: Watch }): Promise<
  Result<BundleReport, ExportFailure>
> {
  const checks = { isThorough: verify, watch }
  const written = await (target.kind === 'folder'
    ? writeFolder(target.directory, bundle, disk, checks)
    : writeZip(target.file, bundle, checks))
  if (!written.ok) return written
  const { counts, wrong } = written.value
  const { sha256, links } = bundle
  return ok({ ...counts, sha256, links, ...(verify && { verified: { files: counts.files, wrong } }) })
}

/** Everything before the first write: layout, bundle and link check. */
export async function prepareBundle(
  source: BundleSource,
  options: ExportOptions,
  watch: Watch,
  cache: PageCache = noCache,
): Promise<Result<{ readonly layout: Layout; readonly bundle: Bundle }, ExportFailure>> {
  const { check, themes, onOutside } = options
  const { publishing } = source.site
  const given = options.baseUrl ?? publishing.baseUrl
  const baseUrl = given === null ? null : usableBaseUrl(given)
  if (given !== null && baseUrl === null) return fail({ kind: 'invalid_base_url', baseUrl: given })
  const theme = await readTheme(themes, source)
  if (!theme.ok) return theme
  const settings = settingsFor(theme.value.theme.manifest, options.themeSettings ?? publishing.themeSettings)
  if (!settings.ok) return fail({ kind: 'invalid_theme', ...settings.failure })
  const planned = await planBundle(source, watch, cache)
  if (!planned.ok) return planned
  const { layout, named, urlsByKey } = planned.value
  const checkLinks = check !== 'off'
  const bundle = await makeBundle(source, layout, {
    theme: theme.value,
    settings: settings.value,
    baseUrl,
    checkLinks,
    watch,
    cache,
    named,
    urlsByKey,
    ...(onOutside && { onOutside }),
  })
  if (!bundle.ok) return bundle
  const { links } = bundle.value
  const count = countBroken(links)
  if (check === 'block' && count > 0) return fail({ kind: 'broken_links', links: links.broken, count })
  return ok({ layout, bundle: bundle.value })
}
