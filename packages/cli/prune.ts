import type { PruneReport } from '@galley/library/records'
import { protections } from '@galley/library/records'
import { counted } from '@galley/platform'

import { inMegabytes, runCare } from './care-run.ts'
import { command } from './command.ts'
import { UsageError, flag, text, wholeNumber } from './option.ts'
import { unknownSite } from './site.ts'
import { table } from './table.ts'

export const prune = command({
  name: 'prune',
  summary: 'delete old versions',
  detail:
    'Current, pinned, approved, tagged, noted and exported versions are kept. It needs --keep-versions or --keep-days; with both, a version is deleted that neither keeps.',
  options: {
    site: { ...text('SITE', 'only versions of this site', 'acme'), default: 'all sites' },
    keepVersions: wholeNumber(1, 100_000, 'keep so many of the newest of each material', 10),
    keepDays: wholeNumber(1, 36_500, 'keep those that are not older', 365),
    dryRun: flag('only report what would be deleted'),
  },
  examples: ['--keep-versions 10 --keep-days 365 --dry-run'],
  async run(context, { site, keepVersions, keepDays, dryRun }) {
    if (keepVersions === null && keepDays === null)
      throw new UsageError('the command prune needs --keep-versions or --keep-days')
    const galley = await context.galley()
    if (site !== null && !galley.index.sites.find(site)) throw unknownSite(site)
    const report = await runCare(context, (run) =>
      galley.care.prune({ site, retention: { keepVersions, keepDays }, dryRun }, run),
    )
    return { json: pruneJson(report), text: pruneText(report) }
  },
})

/** The report as specified in docs/api.md, section 5. */
export const pruneJson = ({ isDryRun, versions, files, bytes, list, protected: kept }: PruneReport) => ({
  dry_run: isDryRun,
  versions,
  files,
  bytes,
  list: list.map(({ site, materialId, title, versionId, receivedAt, sizeBytes }) => ({
    site,
    material_id: materialId,
    title,
    version_id: versionId,
    received_at: receivedAt,
    bytes: sizeBytes,
  })),
  protected: kept,
})

export function pruneText({ isDryRun, versions, files, bytes, list, protected: kept }: PruneReport): string {
  const stays = protections.filter((why) => kept[why] > 0).map((why) => `${kept[why]} ${why}`)
  const rows = list.map((each) => [
    each.site,
    each.materialId,
    each.versionId,
    each.receivedAt,
    inMegabytes(each.sizeBytes),
  ])
  const sum = `${counted(versions, 'version')}, ${counted(files, 'file')}, ${inMegabytes(bytes)} MB`
  return [
    ...(rows.length > 0 ? [table(['SITE', 'MATERIAL', 'VERSION', 'RECEIVED', 'MB'], rows)] : []),
    ...(versions > list.length ? [`and ${versions - list.length} more`] : []),
    isDryRun ? `${sum} can be deleted. Nothing has been deleted yet.` : `${sum} deleted.`,
    ...(stays.length > 0 ? [`Old enough, but protected: ${stays.join(', ')}.`] : []),
  ].join('\n')
}
