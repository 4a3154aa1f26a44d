import { baselineBefore } from '@galley/library'
import type { CopyFailure, VersionCopy, WrittenCopy } from '@galley/sites'
import { loadCopies } from '@galley/sites'
import { reportTexts } from '@galley/wire'
import type { Result } from '@galley/wire'

import type { Context, Output } from './command.ts'
import { CommandFailure, command, failed, positional } from './command.ts'
import { changeWords, elsewhereWords, summarySentence } from './compare-words.ts'
import { explained } from './compare.ts'
import { knownMaterial, ofMaybeVersion, ofVersion } from './material.ts'
import { flag, needed, text } from './option.ts'
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

const namesOption = flag('name the people: who saved, decided and commented')
const outOf = (ending: string) =>
  needed(text('FILE', `the name of the new file, which ends with .${ending}`, `post.${ending}`))

/** Writes one version to a file for readers without a library. */
async function copyTo(
  file: string,
  context: Context,
  write: (copies: Copies, copying: Copying) => Promise<Result<WrittenCopy, CopyFailure>>,
): Promise<Output> {
  const site = await knownSite(context)
  const galley = await context.galley()
  const copies = await loadCopies()
  const [materialId, versionId] = [positional(context, 1), positional(context, 2)]
  const copied = await copies.copyVersion(galley, site, { materialId, versionId })
  if (!copied.ok) throw copyFailed(copied.failure)
  const title = galley.index.materials.find(site.id, materialId)?.title ?? materialId
  const software = `Galley ${context.line.version}`
  const written = await write(copies, { file, galley, site, copy: copied.value, title, software })
  if (!written.ok) throw copyFailed(written.failure)
  return shownCopy(written.value)
}

const shownCopy = ({ file, bytes, sha256 }: WrittenCopy): Output => ({
  json: { file, bytes, sha256 },
  text: `${file}: ${bytes} bytes, SHA-256 ${sha256}`,
})

/** The words of exports speak of an earlier export, which a copy does not have. */
const copyFailed = (failure: CopyFailure) =>
  failed(failure.code === 'damaged_blob' || failure.code === 'io_failed' ? { ...failure, state: 'copying' } : failure)

export const wacz = command({
  name: 'wacz',
  summary: 'write a version as a web archive that ReplayWeb.page shows',
  positionals: ofVersion,
  options: { out: outOf('wacz') },
  examples: ['acme post v1 --out post.wacz'],
  run: (context, { out }) =>
    copyTo(out, context, ({ writeWacz }, { file, galley, site, copy, title, software }) =>
      writeWacz(file, copy, { title, software, language: galley.index.publishing.of(site.id).language }),
    ),
})

export const evidence = command({
  name: 'evidence',
  summary: 'write a version, its files and decisions to a ZIP for auditors',
  detail: 'Anybody can check it without Galley.',
  positionals: ofVersion,
  options: { withNames: namesOption, out: outOf('zip') },
  examples: ['acme post v1 --out post.zip'],
  run: (context, { out, withNames }) =>
    copyTo(out, context, ({ writeEvidence }, { file, galley, site, copy, title, software }) =>
      writeEvidence(file, copy, {
        site,
        title,
        software,
        decisions: galley.index.versionList.decisions(site.id, copy.version.materialId),
        withNames,
        at: galley.now(),
      }),
    ),
})

export const report = command({
  name: 'report',
  summary: 'write a review of a version as one HTML file',
  detail: 'It has the changes since the version before, comments, decisions and hashes.',
  positionals: ofMaybeVersion,
  options: { withNames: namesOption, out: outOf('html') },
  examples: ['acme post --out review.html'],
  async run(context, { out: file, withNames }) {
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
      withNames,
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
})
