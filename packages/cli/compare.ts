import type { Comparison } from '@galley/compare'
import type { CompareFailure } from '@galley/library'
import { baselineOf } from '@galley/library'
import { cutAtWord } from '@galley/wire'

import { CommandFailure, command } from './command.ts'
import { changeWords, headWords, newPage, sideWords, summarySentence } from './compare-words.ts'
import { knownMaterial, ofMaterial } from './material.ts'
import { table } from './table.ts'

export const compareVersions = command({
  name: 'compare',
  summary: 'show what changed between two versions of a material',
  positionals: {
    ...ofMaterial,
    '[A]': 'the version before; by default the last one that was approved, or that readers see',
    '[B]': 'the version after; by default the current one',
  },
  examples: ['acme post', 'acme post v1 v2'],
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
    const pictures = comparison.head.filter(({ files }) => files !== undefined).map(headWords)
    const text = [`${summary}.`, changes, ...(from === null ? [] : pictures)].join('\n')
    return { json: { from, to, ...comparisonJson(summary, comparison) }, text }
  },
})

/** Says why a version could not be read. */
export const explained = (failure: CompareFailure, materialId: string): CommandFailure =>
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
    changes.map((change) => [changeWords(change), cell(sideWords('before', change)), cell(sideWords('after', change))]),
  )
}
