import type { PruneReport } from '@galley/library/records'
import { protections } from '@galley/library/records'
import { counted } from '@galley/platform'

import { inMegabytes, runCare } from './care-run.ts'
import type { Command } from './command.ts'
import { UsageError, flag, text, wholeNumber } from './command.ts'
import { unknownSite } from './site.ts'
import { table } from './table.ts'

export const prune: Command = {
  name: 'prune',
  usage: '[--site S] [--keep-versions N] [--keep-days N] [--dry-run]',
  summary: 'delete old versions; current, pinned, approved, tagged, noted and exported ones are kept',
  positionals: [],
  options: {
    site: { type: 'string' },
    'keep-versions': { type: 'string' },
    'keep-days': { type: 'string' },
    'dry-run': { type: 'boolean' },
  },
  async run(context) {
    const site = text(context, 'site')
    const keepVersions = wholeNumber(context, 'keep-versions', 1, 100_000)
    const keepDays = wholeNumber(context, 'keep-days', 1, 36_500)
    if (keepVersions === null && keepDays === null)
      throw new UsageError('the command prune needs --keep-versions or --keep-days')
    const galley = await context.galley()
    if (site !== null && !galley.index.sites.find(site)) throw unknownSite(site)
    const dryRun = flag(context, 'dry-run')
    const report = await runCare(context, (run) =>
      galley.care.prune({ site, retention: { keepVersions, keepDays }, dryRun }, run),
    )
    return { json: pruneJson(report), text: pruneText(report) }
  },
}

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
