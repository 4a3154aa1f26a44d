import { baselineBefore } from '@galley/library'
import type { CopyFailure, VersionCopy, WrittenCopy } from '@galley/sites'
import { loadCopies } from '@galley/sites'
import { reportTexts } from '@galley/wire'
import type { Result } from '@galley/wire'

import type { Command, Context, Output } from './command.ts'
import { CommandFailure, UsageError, failed, flag, positional, text } from './command.ts'
import { changeWords, elsewhereWords, summarySentence } from './compare-words.ts'
import { explained } from './compare.ts'
import { knownMaterial } from './material.ts'
import type { LibraryPorts } from './ports.ts'
import { knownSite } from './site.ts'

type Copies = Awaited<ReturnType<typeof loadCopies>>

interface Copying {
  readonly file: string
  readonly galley: LibraryPorts
  readonly site: Awaited<ReturnType<typeof knownSite>>
  readonly copy: VersionCopy
  readonly title: string
  readonly software: string
}

/** A command that writes one version to a file for readers without a library. */
const copying = (
  command: Pick<Command, 'name' | 'summary' | 'options'> & { readonly ending: string; readonly usageEnd?: string },
  write: (copies: Copies, copying: Copying, context: Context) => Promise<Result<WrittenCopy, CopyFailure>>,
): Command => ({
  name: command.name,
  usage: `SITE MATERIAL VERSION --out FILE.${command.ending}${command.usageEnd ?? ''}`,
  summary: command.summary,
  positionals: ['SITE', 'MATERIAL', 'VERSION'],
  options: { out: { type: 'string' }, ...command.options },
  async run(context): Promise<Output> {
    const file = newFile(context, command.name)
    const site = await knownSite(context)
    const galley = await context.galley()
    const copies = await loadCopies()
    const [materialId, versionId] = [positional(context, 1), positional(context, 2)]
    const copied = await copies.copyVersion(galley, site, { materialId, versionId })
    if (!copied.ok) throw copyFailed(copied.failure)
    const title = galley.index.materials.find(site.id, materialId)?.title ?? materialId
    const software = `Galley ${context.line.version}`
    const written = await write(copies, { file, galley, site, copy: copied.value, title, software }, context)
    if (!written.ok) throw copyFailed(written.failure)
    return shownCopy(written.value)
  },
})

function newFile(context: Context, command: string): string {
  const file = text(context, 'out')
  if (file === null) throw new UsageError(`the command ${command} needs --out: the name of the new file`)
  return file
}

const shownCopy = ({ file, bytes, sha256 }: WrittenCopy): Output => ({
  json: { file, bytes, sha256 },
  text: `${file}: ${bytes} bytes, SHA-256 ${sha256}`,
})

/** The words of exports speak of an earlier export, which a copy does not have. */
const copyFailed = (failure: CopyFailure) =>
  failed(failure.code === 'damaged_blob' || failure.code === 'io_failed' ? { ...failure, state: 'copying' } : failure)

export const wacz = copying(
  {
    name: 'wacz',
    summary: 'write a version as a web archive that ReplayWeb.page shows',
    ending: 'wacz',
  },
  ({ writeWacz }, { file, galley, site, copy, title, software }) =>
    writeWacz(file, copy, { title, software, language: galley.index.publishing.of(site.id).language }),
)

export const evidence = copying(
  {
    name: 'evidence',
    summary: 'write a version, its files and the decisions about it to a ZIP that anybody can check without Galley',
    ending: 'zip',
    usageEnd: ' [--with-names]',
    options: { 'with-names': { type: 'boolean' } },
  },
  ({ writeEvidence }, { file, galley, site, copy, title, software }, context) =>
    writeEvidence(file, copy, {
      site,
      title,
      software,
      decisions: galley.index.versionList.decisions(site.id, copy.version.materialId),
      withNames: flag(context, 'with-names'),
      at: galley.now(),
    }),
)

export const report: Command = {
  name: 'report',
  usage: 'SITE MATERIAL [VERSION] --out FILE.html [--with-names]',
  summary:
    'write a review of a version, by default the current one, as one HTML file: changes, comments, decisions, hashes',
  positionals: ['SITE', 'MATERIAL', '[VERSION]'],
  options: { out: { type: 'string' }, 'with-names': { type: 'boolean' } },
  async run(context) {
    const file = newFile(context, 'report')
    const site = await knownSite(context)
    const { galley, materialId } = await knownMaterial(context)
    const versionId =
      context.positionals[2] ?? galley.index.materials.find(site.id, materialId)?.currentVersionId ?? null
    if (versionId === null) throw new CommandFailure('unknown_version', `${materialId} has no version yet.`)
    const from = baselineBefore(galley.index, site.id, materialId, versionId)
    const compared = await galley.reviewing.compare({ site: site.id, materialId, from, to: versionId })
    if (!compared.ok) throw explained(compared.failure, materialId)
    const { reportFacts, writeReport } = await loadCopies()
    const facts = await reportFacts(galley, {
      site,
      materialId,
      versionId,
      compared: compared.value,
      withNames: flag(context, 'with-names'),
      software: `Galley ${context.line.version}`,
      at: galley.now(),
    })
    if (!facts.ok) throw explained(facts.failure, materialId)
    const { summary, changes, head, other } = compared.value
    const written = await writeReport(file, facts.value, {
      language: 'en',
      texts: reportTexts,
      summary: summarySentence(summary),
      changes: changes.map(changeWords),
      elsewhere: elsewhereWords(head, other),
    })
    return written.ok ? shownCopy(written.value) : Promise.reject(copyFailed(written.failure))
  },
}
