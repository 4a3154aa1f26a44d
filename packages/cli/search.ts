import type { SearchFound, SearchKind, SearchQuery } from '@galley/library/records'
import { searchKinds } from '@galley/library/records'
import { cutAtWord } from '@galley/wire'

import type { Command, Context } from './command.ts'
import { UsageError, flag, positional, text, texts, wholeNumber } from './command.ts'
import { unknownSite } from './site.ts'

const excerptIn = ({ excerpt }: SearchFound): string => excerpt.map((piece) => piece.text).join('')

/** How many pages a command makes searchable itself, before it searches: a few seconds. A listener makes all of them so. */
const readFirst = 1000

export const search: Command = {
  name: 'search',
  usage: `TEXT [--site S] [--all-versions] [--kind ${searchKinds.join('|')}]... [--limit N]`,
  summary: 'find words in pages, titles, comments, reasons of decisions, people and callbacks, current versions first',
  positionals: ['TEXT'],
  options: {
    site: { type: 'string' },
    'all-versions': { type: 'boolean' },
    kind: { type: 'string', multiple: true },
    limit: { type: 'string' },
  },
  async run(context) {
    const kinds = kindsIn(context)
    const limit = wholeNumber(context, 'limit', 1, 10_000) ?? 100
    const galley = await context.galley()
    const site = text(context, 'site')
    if (site !== null && !(await galley.sites.find(site))) throw unknownSite(site)
    const versions = flag(context, 'all-versions') ? 'all' : 'current'
    const query: SearchQuery = { site, text: positional(context, 0), kinds, versions, limit }
    if (versions === 'all') await galley.makeSearchable(readFirst, context.interrupted)
    const { found, unread } = galley.index.search.ask(query)
    if (versions === 'all' && unread > 0) context.log(unreadWords(unread))
    return context.list({
      rows: () => found,
      json: (each) => ({
        kind: each.kind,
        site: each.site,
        material_id: each.materialId,
        version_id: each.versionId,
        excerpt: excerptIn(each),
        at: each.at,
        title: each.title,
        id: each.id,
        by: each.by,
        current: each.olderNumber === null,
      }),
      headings: ['KIND', 'SITE', 'MATERIAL', 'VERSION', 'AT', 'EXCERPT'],
      cells: (each) => [
        each.kind,
        each.site,
        each.materialId ?? '',
        each.versionId ?? '',
        each.at ?? '',
        cutAtWord(excerptIn(each).replace(/\s+/g, ' '), 80),
      ],
      none: 'Nothing was found.',
    })
  },
}

const unreadWords = (pages: number): string =>
  `${pages} earlier ${pages === 1 ? 'page is' : 'pages are'} not searchable yet. The app and \`galley listen\` make all of them searchable while they run; pages that only the bucket of a team has are not searched.`

function kindsIn(context: Context): readonly SearchKind[] {
  const given = texts(context, 'kind') ?? []
  const kinds = given.flatMap((name) => searchKinds.find((kind) => kind === name) ?? [])
  if (kinds.length < given.length) throw new UsageError(`--kind must be one of ${searchKinds.join(', ')}`)
  return kinds.length === 0 ? searchKinds : kinds
}
