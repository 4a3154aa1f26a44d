import type { SearchFound, SearchQuery } from '@galley/library/records'
import { searchKinds } from '@galley/library/records'
import { cutAtWord } from '@galley/wire'

import { command, positional } from './command.ts'
import { decisionWords } from './mark.ts'
import { byDefault, choice, flag, several, text, wholeNumber } from './option.ts'
import { unknownSite } from './site.ts'

const excerptIn = ({ excerpt }: SearchFound): string => excerpt.map((piece) => piece.text).join('')

/** A decision without a reason is shown as what it is. */
const shownExcerpt = (found: SearchFound): string =>
  excerptIn(found) || (found.decision === null ? '' : `${decisionWords[found.decision]} by ${found.by ?? ''}`)

/** How many pages a command makes searchable itself, before it searches: a few seconds. A listener makes all of them so. */
const readFirst = 1000

export const search = command({
  name: 'search',
  summary: 'find words in pages, titles, comments, decisions and callbacks',
  detail: 'Current versions come first.',
  positionals: { TEXT: 'the words, or their beginnings' },
  options: {
    site: { ...text('SITE', 'only in this site', 'acme'), default: 'all sites' },
    allVersions: flag('also in earlier versions'),
    kind: { ...several(choice(searchKinds, 'where to look')), default: 'everywhere' },
    limit: byDefault(wholeNumber(1, 10_000, 'at most so many of each kind', 20), 100),
  },
  examples: ['walk', '"short walk" --site acme --kind comment'],
  async run(context, { site, kind, limit, allVersions }) {
    const kinds = kind.length === 0 ? searchKinds : kind
    const galley = await context.galley()
    if (site !== null && !(await galley.sites.find(site))) throw unknownSite(site)
    const versions = allVersions ? 'all' : 'current'
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
        ...(each.decision !== null && { decision: each.decision }),
        current: each.olderNumber === null,
      }),
      headings: ['KIND', 'SITE', 'MATERIAL', 'VERSION', 'AT', 'EXCERPT'],
      cells: (each) => [
        each.kind,
        each.site,
        each.materialId ?? '',
        each.versionId ?? '',
        each.at ?? '',
        cutAtWord(shownExcerpt(each).replace(/\s+/g, ' '), 80),
      ],
      none: 'Nothing was found.',
    })
  },
})

const unreadWords = (pages: number): string =>
  `${pages} earlier ${pages === 1 ? 'page is' : 'pages are'} not searchable yet. The app and \`galley listen\` make all of them searchable while they run; pages that only the bucket of a team has are not searched.`
