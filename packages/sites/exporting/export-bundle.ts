import type { ExportFailure, ExportPlan, FileCounts, LinkReport, ThemeSettings } from '@galley/library/records'
import { countBroken, formerFiles, invalidTheme } from '@galley/library/records'
import type { Disk } from '@galley/platform'
import { realDisk } from '@galley/platform'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import { usableBaseUrl } from '../bundle/base-url.ts'
import type { Layout } from '../bundle/layout.ts'
import { movedPages } from '../bundle/moved-pages.ts'
import type { OutsideLink } from '../bundle/reference-check.ts'
import { settingsFor } from '../bundle/render/theme.ts'
import type { Bundle } from './bundle.ts'
import { makeBundle } from './bundle.ts'
import type { CheckOptions } from './compare-folder.ts'
import { planFolder, writeFolder } from './folder.ts'
import type { PageCache } from './page-cache.ts'
import { noCache, withPageCache } from './page-cache.ts'
import { planBundle } from './plan.ts'
import type { BundleSource } from './source.ts'
import type { ExportTarget } from './target-lock.ts'
import { ioFailure, withTargetLock } from './target-lock.ts'
import { readTheme } from './theme-folders.ts'
import type { Watch } from './watch.ts'
import { unwatched } from './watch.ts'
import { writeZip, zipCounts, zipToReplace } from './zip.ts'

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

export interface BundleReport extends FileCounts {
  /**
   * SHA-256 of the manifest, which lists the hash of every other file. The same bundle has the same hash in a folder
   * and in a ZIP; a change of any byte changes it.
   */
  readonly sha256: string
  readonly links: LinkReport
  /** With `verify`: how many files of the target were read, and which ones had to be rewritten. */
  readonly verified?: { readonly files: number; readonly wrong: readonly string[] }
}

/** What an export changes, or would change, and the pages of its bundle. */
export type ExportedBundle = Pick<ExportPlan, 'added' | 'changed' | 'removed' | 'pages'> & {
  readonly report: BundleReport
}

export interface ExportJob {
  readonly source: BundleSource
  readonly target: ExportTarget
  readonly options: ExportOptions
  /** Ends before the first write. */
  readonly isDryRun?: boolean
  readonly disk?: Disk
  readonly watch?: Watch
}

/** Exports the chosen versions of a site as a static site. The same input gives the same bytes on every machine. */
export const exportBundle = (job: ExportJob): Promise<Result<ExportedBundle, ExportFailure>> =>
  withTargetLock(job.target, () => exportToLocked(job))

/** The same, while the caller keeps other exports from the target. */
export const exportToLocked = ({
  source,
  target,
  options,
  isDryRun = false,
  disk = realDisk,
  watch = unwatched,
}: ExportJob): Promise<Result<ExportedBundle, ExportFailure>> =>
  withBundle(source, options, watch, async ({ bundle, layout }) => {
    watch('comparing', 0, bundle.files.length, 'files')
    const isThorough = options.verify === true
    const planned = await planTarget(target, bundle, disk, { isThorough, watch })
    if (!planned.ok) return planned
    const { counts, write, ...changes } = planned.value
    const { sha256, links } = bundle
    const report = { ...counts, sha256, links }
    const exported = { ...pathsOf(changes), pages: pagesOf(layout, changes), report }
    if (isDryRun) return ok(exported)
    const wrong = await write()
    if (!wrong.ok) return wrong
    const verified = { files: counts.files, wrong: wrong.value }
    return ok({ ...exported, report: { ...report, ...(isThorough && { verified }) } })
  })

interface Changes {
  readonly added: ReadonlySet<string>
  readonly changed: ReadonlySet<string>
  readonly removed: readonly string[]
}

const pathsOf = ({ added, changed, removed }: Changes) => ({ added: [...added], changed: [...changed], removed })

/** What writing a bundle changes in a target, and the writing itself, which returns the files that were damaged. */
interface TargetPlan extends Changes {
  readonly counts: FileCounts
  write(): Promise<Result<readonly string[], ExportFailure>>
}

async function planTarget(
  target: ExportTarget,
  bundle: Bundle,
  disk: Disk,
  checks: CheckOptions,
): Promise<Result<TargetPlan, ExportFailure>> {
  if (target.kind === 'folder') {
    const planned = await planFolder(target.directory, bundle, disk, checks)
    if (!planned.ok) return planned
    const { counts, added, wanted, stale } = planned.value
    const changed = new Set(wanted.map(({ path }) => path).filter((path) => !added.has(path)))
    return ok({ counts, added, changed, removed: stale, write: () => writeFolder(planned.value, checks) })
  }
  const earlier = await zipToReplace(target.file)
  if (!earlier.ok) return earlier
  const now = new Set(bundle.files.map(({ path }) => path))
  const differing = bundle.files.flatMap(({ path, sha256 }) => (earlier.value.get(path) === sha256 ? [] : [path]))
  return ok({
    counts: zipCounts(bundle.files, earlier.value),
    added: new Set(differing.filter((path) => !earlier.value.has(path))),
    changed: new Set(differing.filter((path) => earlier.value.has(path))),
    removed: [...earlier.value.keys()].filter((path) => !now.has(path)),
    write: () => writeZip(target.file, bundle, earlier.value, checks),
  })
}

function pagesOf({ pages }: Layout, { added, changed }: Changes): ExportedBundle['pages'] {
  const moved = movedPages(
    pages.map(({ path, redirectsFrom }) => ({ path, formerPaths: formerFiles(redirectsFrom) })),
    { isAdded: (path) => added.has(path), isChanged: (path) => changed.has(path) },
  )
  return pages.map(({ materialId, versionId, title, path, verdict, notes }) => ({
    materialId,
    versionId,
    title,
    path,
    verdict,
    change: added.has(path) ? 'added' : changed.has(path) ? 'changed' : 'unchanged',
    movedFrom: moved.get(path) ?? null,
    notes,
  }))
}

interface MadeBundle {
  readonly layout: Layout
  readonly bundle: Bundle
}

/** Makes a bundle with the cache of its library and passes it on. */
export async function withBundle<Value, Failure>(
  source: BundleSource,
  options: ExportOptions,
  watch: Watch,
  work: (made: MadeBundle) => Promise<Result<Value, Failure>>,
): Promise<Result<Value, Failure | ExportFailure>> {
  try {
    return await withPageCache(source, async (cache) => {
      const prepared = await prepareBundle(source, options, watch, cache)
      return prepared.ok ? work(prepared.value) : prepared
    })
  } catch (error) {
    return ioFailure(error)
  }
}

/** Everything before the first write: layout, bundle and link check. */
export async function prepareBundle(
  source: BundleSource,
  options: ExportOptions,
  watch: Watch,
  cache: PageCache = noCache,
): Promise<Result<MadeBundle, ExportFailure>> {
  const { check, onOutside } = options
  const planned = await planInTheme(source, options, watch, cache)
  if (!planned.ok) return planned
  const { layout, ...others } = planned.value
  const checkLinks = check !== 'off'
  const bundle = await makeBundle(source, layout, {
    ...others,
    checkLinks,
    watch,
    cache,
    ...(onOutside && { onOutside }),
  })
  if (!bundle.ok) return bundle
  const { links } = bundle.value
  const count = countBroken(links)
  if (check === 'block' && count > 0)
    return fail({
      code: 'broken_links',
      links: links.broken,
      count,
      ref: links.broken[0]?.ref ?? '',
      page: links.broken[0]?.page ?? '',
    })
  return ok({ layout, bundle: bundle.value })
}

/** Theme, settings and layout of a bundle. */
export async function planInTheme(
  source: BundleSource,
  options: Pick<ExportOptions, 'baseUrl' | 'themes' | 'themeSettings'>,
  watch: Watch,
  cache: PageCache,
) {
  const { publishing } = source.site
  const given = options.baseUrl ?? publishing.baseUrl
  const baseUrl = given === null ? null : usableBaseUrl(given)
  if (given !== null && baseUrl === null) return fail({ code: 'invalid_base_url', baseUrl: given } as const)
  const theme = await readTheme(options.themes, source)
  if (!theme.ok) return theme
  const settings = settingsFor(theme.value.theme.manifest, options.themeSettings ?? publishing.themeSettings)
  if (!settings.ok) return fail(invalidTheme(settings.failure))
  const planned = await planBundle(source, watch, cache)
  return planned.ok ? ok({ ...planned.value, theme: theme.value, settings: settings.value, baseUrl }) : planned
}
