import { randomUUID } from 'node:crypto'
import type { FoundAnchor, Page } from '@galley/compare'
import { personHere, readVersionPage } from '@galley/library'
import type { CommentThread } from '@galley/library/records'
import { fieldMax, quoteMaxChars } from '@galley/library/records'
import type { MaterialId, SiteId, VersionId } from '@galley/wire'
import { cutAtWord } from '@galley/wire'

import type { Command, Context, Output } from './command.ts'
import { CommandFailure, command, positional } from './command.ts'
import { explained } from './compare.ts'
import { knownMaterial, ofMaybeVersion } from './material.ts'
import { atMost, needed, parsed, text, trimmed } from './option.ts'
import type { LibraryPorts } from './ports.ts'
import { table } from './table.ts'

const person = needed(
  parsed('NAME', 'the name of the person who writes', '"Ada Lovelace"', trimmed(fieldMax.personName)),
)
const said = needed(parsed('TEXT', 'the comment', '"Please check this figure"', trimmed(10_000)))
const ofComment = { ID: 'the ID of a comment, as galley comment list shows it' }
const anId = '01998a52-61c3-7c1e-b0cf-2a7d6b3f1c55'

/** The options for the text around a quote. */
export const aroundQuote = {
  prefix: text('TEXT', 'the text before it, where the page has it more than once', '"We took "'),
  suffix: text('TEXT', 'the text behind it', '" home"'),
}

/** The given version of a material, by default the current one. */
export async function versionOf(context: Context) {
  const { galley, site, materialId } = await knownMaterial(context)
  const versionId = context.positionals[2] ?? galley.index.materials.find(site, materialId)?.currentVersionId ?? null
  if (versionId === null) throw new CommandFailure('unknown_version', `${materialId} has no version yet.`)
  return { galley, site, materialId, versionId }
}

/** Loaded when it is needed: other commands need no parser of pages. */
export const loadCompare = () => import('@galley/compare')

/** The page of a version. Throws CommandFailure. */
export async function storedPage(
  { reviewing }: LibraryPorts,
  site: SiteId,
  materialId: MaterialId,
  versionId: VersionId,
) {
  const version = await reviewing.version({ site, materialId, versionId })
  const page = version.ok ? await readVersionPage(version.value) : version
  if (!page.ok) throw explained(page.failure, materialId)
  return page.value
}

/** As docs/api.md, section 2, has it. */
const threadJson = ({ id, versionId, anchor, comments, resolved }: CommentThread, found: FoundAnchor | null) => ({
  id,
  quote: anchor.kind === 'text' ? anchor.exact : anchor.label,
  ...(found && { found: found.state }),
  version_id: versionId,
  thread: comments,
  resolved: resolved !== null,
})

function threadText(thread: CommentThread): string {
  const { anchor, comments, resolved } = thread
  const quote = anchor.kind === 'text' ? anchor.exact : anchor.label
  return [
    `Comment ${thread.id} on version ${thread.versionId} of ${thread.materialId}`,
    `quote     ${quote}`,
    ...comments.map(({ by, text }) => `${by || removedName}: ${text}`),
    resolved === null ? 'open' : `resolved by ${resolved.by || removedName}`,
  ].join('\n')
}

/** Stands for the name of a person that was erased. */
const removedName = '(name removed)'

export const commentAdd = command({
  name: 'comment add',
  summary: 'comment on a text of a version',
  positionals: ofMaybeVersion,
  options: {
    quote: needed(
      parsed('TEXT', 'the text that is commented on, as readers see it', '"a short walk"', trimmed(quoteMaxChars)),
    ),
    ...aroundQuote,
    by: person,
    text: said,
  },
  examples: ['acme post --quote "a short walk" --by Ada --text "How short?"'],
  async run(context, { quote: exact, by, text: words, ...around }) {
    const { galley, site, materialId, versionId } = await versionOf(context)
    const page = await storedPage(galley, site, materialId, versionId)
    const anchor = await anchored(page, exact, around)
    const { comments, commit } = galley.index
    const id = randomUUID()
    const at = galley.now().toISOString()
    await commit.write(() => comments.add({ id, site, materialId, versionId, anchor, text: words, by, at }))
    const thread = knownThread(galley, id)
    return { json: threadJson(thread, { state: 'same', places: [] }), text: threadText(thread) }
  },
})

/** The place of a text in a page. Throws CommandFailure. */
export async function anchored(
  page: Page,
  exact: string,
  around: Readonly<Record<'prefix' | 'suffix', string | null>>,
) {
  const [prefix, suffix] = [around.prefix ?? '', around.suffix ?? '']
  const { anchorOf } = await loadCompare()
  const anchor = anchorOf(page, { exact, prefix, suffix })
  if (typeof anchor === 'string') throw notOnce(anchor, prefix + suffix !== '')
  return anchor
}

const notOnce = (problem: 'not_found' | 'ambiguous', hasContext: boolean): CommandFailure =>
  problem === 'not_found'
    ? new CommandFailure(
        'quote_not_found',
        `The text is not in the page${hasContext ? ', or not between the given prefix and suffix' : ''}. Nothing was changed. Copy it from the page as readers see it.`,
      )
    : new CommandFailure(
        'quote_ambiguous',
        `The text is in the page more than once${hasContext ? ', also between the given prefix and suffix' : ''}. Nothing was changed. Say which one is meant: --prefix is the text before it, --suffix the text behind it.`,
      )

function knownThread({ index }: Pick<LibraryPorts, 'index'>, id: string): CommentThread {
  const thread = index.comments.find(id)
  if (thread === null) throw new CommandFailure('unknown_comment', `There is no comment ${id}. Nothing was changed.`)
  return thread
}

/** The pages of versions, each read once; null where its files are not there any more. */
function pageReader(galley: LibraryPorts, site: SiteId, materialId: MaterialId) {
  const pages = new Map<VersionId, Page | null>()
  return async (versionId: VersionId): Promise<Page | null> => {
    const known = pages.get(versionId)
    if (known !== undefined) return known
    const page = await storedPage(galley, site, materialId, versionId).catch((error: unknown) => {
      if (error instanceof CommandFailure) return null
      throw error
    })
    pages.set(versionId, page)
    return page
  }
}

export const commentList = command({
  name: 'comment list',
  summary: 'list the comments on a material, and their places in a version',
  positionals: ofMaybeVersion,
  examples: ['acme post'],
  async run(context) {
    const { galley, site, materialId, versionId } = await versionOf(context)
    const threads = galley.index.comments.of(site, materialId)
    const target = await storedPage(galley, site, materialId, versionId)
    const pageOf = pageReader(galley, site, materialId)
    const anchors: { page: Page | null; anchor: CommentThread['anchor'] }[] = []
    for (const { versionId: of, anchor } of threads)
      anchors.push({ page: of === versionId ? target : await pageOf(of), anchor })
    const { findAnchors } = await loadCompare()
    const found = findAnchors(anchors, target)
    const rows = threads.map((thread, order) => ({ thread, found: found[order] ?? null }))
    return {
      json: rows.map((row) => threadJson(row.thread, row.found)),
      text: rows.length === 0 ? 'No comments yet.' : listText(rows),
    }
  },
})

const listText = (rows: readonly { readonly thread: CommentThread; readonly found: FoundAnchor | null }[]): string =>
  table(
    ['ID', 'PLACE', 'QUOTE', 'BY', 'TEXT', 'ANSWERS', 'STATE'],
    rows.map(({ thread: { id, anchor, comments, resolved }, found }) => [
      id,
      found?.state ?? '',
      cutAtWord((anchor.kind === 'text' ? anchor.exact : anchor.label).replace(/\s+/g, ' '), 40),
      comments[0]?.by ?? '',
      cutAtWord((comments[0]?.text ?? '').replace(/\s+/g, ' '), 40),
      String(comments.length - 1),
      resolved === null ? 'open' : 'resolved',
    ]),
  )

export const commentAnswer = command({
  name: 'comment answer',
  summary: 'answer a comment',
  positionals: ofComment,
  options: { by: person, text: said },
  examples: [`${anId} --by Ada --text "Five minutes"`],
  async run(context, { by, text: words }) {
    const galley = await context.galley()
    const thread = knownThread(galley, positional(context, 0)).id
    const answer = { id: randomUUID(), thread, text: words, by, at: galley.now().toISOString() }
    await galley.index.commit.write(() => galley.index.comments.answer(answer))
    return shown(knownThread(galley, thread))
  },
})

const shown = (thread: CommentThread): Output => ({ json: threadJson(thread, null), text: threadText(thread) })

const settling = (verb: string, isResolved: boolean, summary: string): Command =>
  command({
    name: `comment ${verb}`,
    summary,
    positionals: ofComment,
    options: {
      by: {
        ...parsed('NAME', 'the name of the person', 'Ada', atMost(fieldMax.personName)),
        default: 'the account of this computer',
      },
    },
    examples: [`${anId} --by Ada`],
    async run(context, options) {
      const galley = await context.galley()
      const by = options.by ?? personHere(galley.settings.read())
      const { id, resolved } = knownThread(galley, positional(context, 0))
      const at = galley.now().toISOString()
      if ((resolved !== null) !== isResolved)
        await galley.index.commit.write(() =>
          galley.index.comments.settle({ thread: id, isResolved, by: atMost(fieldMax.personName)('by', by), at }),
        )
      return shown(knownThread(galley, id))
    },
  })

export const commentResolve = settling('resolve', true, 'close a comment')
export const commentReopen = settling('reopen', false, 'open a closed comment again')
