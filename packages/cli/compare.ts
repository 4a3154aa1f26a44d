import type { Change, Comparison, Page } from '@galley/compare'
import type { CompareFailure } from '@galley/library'
import { baselineOf } from '@galley/library'
import type { MaterialId, Sha256, SiteId, VersionId } from '@galley/wire'
import { cutAtWord } from '@galley/wire'

import type { Command } from './command.ts'
import { CommandFailure } from './command.ts'
import { changeWords, newPage, summarySentence } from './compare-words.ts'
import { knownMaterial } from './material.ts'
import type { LibraryPorts } from './ports.ts'
import { table } from './table.ts'

/** Loaded when it is needed: other commands need no parser of pages. */
export const loadCompare = () => import('@galley/compare')

export const compareVersions: Command = {
  name: 'compare',
  usage: 'SITE MATERIAL [A] [B]',
  summary: 'what changed from version A (default: the last approved or published one) to B (default: the current one)',
  positionals: ['SITE', 'MATERIAL', '[A]', '[B]'],
  async run(context) {
    const { galley, site, materialId } = await knownMaterial(context)
    const { materials } = galley.index
    const [, , givenFrom, givenTo] = context.positionals
    const to = givenTo ?? materials.find(site, materialId)?.currentVersionId ?? null
    if (to === null) throw new CommandFailure('unknown_version', `${materialId} has no version yet.`)
    const from = givenFrom ?? baselineOf(galley.index, site, materialId)
    const compared = await galley.reviewing.compare({ site, materialId, from, to })
    if (!compared.ok) throw explained(compared.failure, materialId)
    const { value: comparison } = compared
    const summary = from === null ? newPage : summarySentence(comparison.summary)
    const changes = from === null ? 'Nobody has approved or published it: all of it is new.' : changesText(comparison)
    return { json: { from, to, ...comparisonJson(summary, comparison) }, text: [`${summary}.`, changes].join('\n') }
  },
}

const explained = (failure: CompareFailure, materialId: string): CommandFailure =>
  failure.code === 'unknown_version'
    ? new CommandFailure('unknown_version', `There is no version ${failure.versionId} of ${materialId}.`)
    : new CommandFailure(failure.code, 'A file of this version is missing from the library, or is damaged.')

/** As docs/api.md, section 2, has it. */
const comparisonJson = (summary: string, { changes, other }: Comparison) => ({
  summary,
  changes: changes.map(({ kind, block, before, after, words }) => ({ kind, block, before, after, words })),
  state_changed: other.state,
  fonts_changed: other.fonts,
  metadata_changed: other.metadata,
})

const shownChars = 60

function changesText({ changes }: Comparison): string {
  if (changes.length === 0) return 'The content of the page is the same.'
  const cell = (text: string | null): string => (text === null ? '' : cutAtWord(text.replace(/\s+/g, ' '), shownChars))
  return table(
    ['CHANGE', 'BEFORE', 'AFTER'],
    changes.map((change) => [changeWords(change.kind, change.block), ...shownSides(change).map(cell)]),
  )
}

/** Of an attribute its values, since the text is the same. */
const shownSides = ({ kind, before, after, details }: Change): readonly (string | null)[] =>
  kind === 'attribute'
    ? [
        details.map((each) => `${each.name}=${each.before ?? ''}`),
        details.map((each) => `${each.name}=${each.after ?? ''}`),
      ].map((side) => side.join(' '))
    : [before, after]

interface StoredVersion {
  readonly page: Page
  readonly state: Sha256
  readonly metadata: string | null
  /** The font set that the site had when the version arrived. */
  readonly fonts: Sha256 | null
}

/** A stored version as it is compared. Throws CommandFailure. */
export async function storedVersion(
  { index, vault }: Pick<LibraryPorts, 'index' | 'vault'>,
  site: SiteId,
  materialId: MaterialId,
  versionId: VersionId,
): Promise<StoredVersion> {
  const { versions, blobs, snapshots } = index
  const version = versions.find(site, materialId, versionId)
  const parts = versions.parts(site, materialId, versionId)
  if (version === null || parts === null)
    throw new CommandFailure('unknown_version', `There is no version ${versionId} of ${materialId}.`)
  const place = blobs.find(parts.html)
  if (!place) throw new CommandFailure('missing_blob', 'A file of this version is missing from the library.')
  const { readPage } = await loadCompare()
  const html = (await vault.readWhole(parts.html, place)).toString('utf8')
  const hashes = new Map(
    [...versions.media(site, materialId, versionId), ...versions.referred(site, materialId, versionId)].map(
      ({ url, sha256 }) => [url, sha256],
    ),
  )
  const fonts = snapshots.list(site).find(({ receivedAt }) => Date.parse(receivedAt) <= Date.parse(version.receivedAt))
  return {
    page: readPage(html, (address) => hashes.get(address) ?? null),
    state: parts.state,
    metadata: parts.metadata,
    fonts: fonts?.archiveSha256 ?? null,
  }
}
