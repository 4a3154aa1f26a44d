import { describeBrokenReason } from '../../../contract/domain/bundle/broken-reason.ts'
import { describeExportFailure, isWrongUsage } from '../../../contract/domain/bundle/failure.ts'
import { counted } from '../../../contract/domain/counted.ts'
import type { BundleReport, ExportJob } from '../../use-cases/exporting/export-bundle.ts'
import { exportBundle } from '../../use-cases/exporting/export-bundle.ts'
import type { LibrarySource } from '../../use-cases/exporting/library-source.ts'
import { librarySource } from '../../use-cases/exporting/library-source.ts'
import type { Command, Context } from './command.ts'
import { CommandFailure, UsageError, flag, oneOf, text, texts } from './command.ts'
import { knownSite } from './site.ts'
import { printable } from './table.ts'

export const exportSite: Command = {
  name: 'export',
  usage:
    'SITE --out DIR|FILE.zip [--material ID]... [--pin ID=VERSION]... [--base-url U] [--theme DIR] [--check warn|block|off] [--verify]',
  summary: 'export a site as static pages to a folder or a ZIP file',
  positionals: ['SITE'],
  options: {
    out: { type: 'string' },
    material: { type: 'string', multiple: true },
    pin: { type: 'string', multiple: true },
    'base-url': { type: 'string' },
    theme: { type: 'string' },
    check: { type: 'string' },
    verify: { type: 'boolean' },
  },
  async run(context) {
    const out = text(context, 'out')
    if (out === null || out === '')
      throw new UsageError('--out is missing: enter a folder, or a file name that ends with .zip')
    const pins = pinsFrom(texts(context, 'pin') ?? [])
    const theme = text(context, 'theme')
    const check = oneOf(context, 'check', ['warn', 'block', 'off']) ?? 'warn'
    const site = await knownSite(context)
    const galley = await context.galley()
    const source = librarySource(galley.index, galley.vault, site, {
      materials: texts(context, 'material') ?? [],
      pins,
    })
    if (!source.ok)
      throw new CommandFailure(
        source.failure.kind,
        `There is no ${source.failure.kind === 'unknown_version' ? 'version' : 'material'} ${source.failure.name}. Nothing was written.`,
      )
    const report = await runExport({
      source: source.value,
      target: out.toLowerCase().endsWith('.zip') ? { kind: 'zip', file: out } : { kind: 'folder', directory: out },
      options: {
        baseUrl: text(context, 'base-url'),
        check,
        themes: themesOf(context, theme),
        verify: flag(context, 'verify'),
      },
    })
    const json = reportJson(report, source.value)
    const broken = json.links.broken.map(({ page, ref, reason }) => printable(`  ${page}: ${ref} (${reason})`))
    const counts = `${counted(report.files, 'file')}: ${report.added} added, ${report.changed} changed, ${report.removed} removed, ${report.unchanged} unchanged`
    return {
      json,
      text: [
        counts,
        ...verifiedLines(report),
        ...choiceLines(source.value),
        ...(broken.length > 0 ? ['Broken links:', ...broken] : []),
      ].join('\n'),
    }
  },
}

/** The person's own theme before the one that comes with Galley. */
export const themesOf = ({ line }: Context, own: string | null): readonly string[] => [
  ...(own === null ? [] : [own]),
  `${line.themesFolder}/default`,
]

/** Runs an export; its failures become those of the command line. */
export async function runExport(job: ExportJob): Promise<BundleReport> {
  const done = await exportBundle(job)
  if (done.ok) return done.value
  const message = describeExportFailure(done.failure)
  throw isWrongUsage(done.failure) ? new UsageError(message) : new CommandFailure(done.failure.kind, message)
}

function verifiedLines({ verified }: BundleReport): readonly string[] {
  if (verified === undefined) return []
  const { files, wrong } = verified
  return wrong.length === 0
    ? [`${counted(files, 'file')} verified.`]
    : ['Damaged files were written again:', ...wrong.map((path) => `  ${path}`)]
}

const leftOutWords: Record<LibrarySource['leftOut'][number]['reason'], string> = {
  rejected: 'changes requested',
  not_approved: 'not approved',
  archived: 'archived',
}

/** Versions that are not exported, and versions exported although changes were requested. */
const choiceLines = ({ leftOut, rejectedPins }: Choices): readonly string[] =>
  [
    ...leftOut.map(
      ({ materialId, versionId, reason, insteadVersionId }) =>
        `Not exported: ${materialId}, version ${versionId} (${leftOutWords[reason]}); ${
          insteadVersionId === null ? 'no version of it is exported' : `version ${insteadVersionId} is exported instead`
        }`,
    ),
    ...rejectedPins.map(
      ({ materialId, versionId }) =>
        `Changes requested, but exported because of --pin: ${materialId}, version ${versionId}`,
    ),
  ].map(printable)

type Choices = Pick<LibrarySource, 'leftOut' | 'rejectedPins'>

/** The report in the shape of docs/api.md, sections 2 and 5. */
export const reportJson = (
  { files, added, changed, removed, unchanged, bytes, sha256, links, verified }: BundleReport,
  { leftOut, rejectedPins }: Choices,
) => ({
  files,
  added,
  changed,
  removed,
  unchanged,
  bytes,
  sha256,
  links: {
    checked: links.checked,
    broken: links.broken.map(({ reason, ...link }) => ({ ...link, reason: describeBrokenReason(reason) })),
  },
  left_out: leftOut.map(({ materialId, versionId, reason, insteadVersionId }) => ({
    material_id: materialId,
    version_id: versionId,
    reason,
    instead: insteadVersionId,
  })),
  notes: rejectedPins.map(({ materialId, versionId }) => ({
    code: 'pinned_version_rejected',
    material_id: materialId,
    version_id: versionId,
  })),
  ...(verified && { verified }),
})

function pinsFrom(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((pin) => {
      // Ids of materials may hold an equals sign, version ids come from the service and do not.
      const at = pin.lastIndexOf('=')
      if (at < 1 || at === pin.length - 1) throw new UsageError('--pin must be MATERIAL=VERSION')
      return [pin.slice(0, at), pin.slice(at + 1)]
    }),
  )
}
