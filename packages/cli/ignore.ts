import type { Page } from '@galley/compare'
import type { IgnoredPart } from '@galley/library/records'
import { fieldMax, isSamePart, quoteMaxChars } from '@galley/library/records'

import { CommandFailure, command } from './command.ts'
import { anchored, aroundQuote, loadCompare, storedPage, versionOf } from './comment.ts'
import { ofMaybeVersion } from './material.ts'
import { UsageError, parsed, text, trimmed } from './option.ts'
import { table } from './table.ts'

export const ignore = command({
  name: 'ignore',
  summary: 'show or change the parts of a page whose looks are not compared',
  detail: 'Such as a clock. Words, links and pictures in these parts are compared as before.',
  positionals: ofMaybeVersion,
  options: {
    quote: parsed(
      'TEXT',
      'a text in the part to ignore: its paragraph, heading or cell',
      '"It is noon"',
      trimmed(quoteMaxChars),
    ),
    ...aroundQuote,
    compareAgain: text('TEXT', 'the text of a part, as the list shows it, to compare it again', '"It is noon"'),
  },
  examples: ['acme post --quote "It is noon"', 'acme post'],
  async run(context, { quote, compareAgain: again, ...around }) {
    if (quote !== null && again !== null) throw new UsageError('use only one of --quote and --compare-again')
    const { galley, site, materialId, versionId } = await versionOf(context)
    const page = quote === null ? null : await storedPage(galley, site, materialId, versionId)
    const found = page && (await partWith(page, await anchored(page, quote ?? '', around)))
    const part = found && { versionId, ...found }
    const { fields, commit } = galley.index
    const before = fields.asSet('material', site, { materialId })?.ignored ?? []
    const left = before.filter((each) => (part === null ? each.label !== again : !isSamePart(each, part)))
    if (again !== null && left.length === before.length)
      throw new CommandFailure('unknown_part', `No part has the text ${again}. Nothing was changed.`)
    const ignored = part === null ? left : [...left, part]
    if (ignored.length > fieldMax.ignoredParts)
      throw new UsageError(`a page has at most ${fieldMax.ignoredParts} such parts. Nothing was changed.`)
    if (quote !== null || again !== null)
      await commit.write(() => fields.set('material', site, [{ materialId }], { ignored }))
    return {
      json: ignored.map(({ label, versionId, blocks }) => ({
        text: label,
        version_id: versionId,
        blocks: blocks.length,
      })),
      text:
        ignored.length === 0
          ? 'The looks of all of the page are compared.'
          : table(
              ['TEXT', 'VERSION'],
              ignored.map((each) => [each.label, each.versionId]),
            ),
    }
  },
})

/** The paragraph, cell or heading at a place, or all of them if it goes through several. */
async function partWith(
  page: Page,
  anchor: Awaited<ReturnType<typeof anchored>>,
): Promise<Pick<IgnoredPart, 'blocks' | 'label'>> {
  const { findAnchors, partWithin } = await loadCompare()
  const places = findAnchors([{ page, anchor }], page).flatMap((found) => found.places.map(({ block }) => block))
  const part = partWithin(page, places)
  if (part === null || part.blocks.length > fieldMax.partBlocks)
    throw new UsageError(`a part has 1 to ${fieldMax.partBlocks} paragraphs and pictures. Nothing was changed.`)
  return { blocks: [...part.blocks], label: part.label }
}
