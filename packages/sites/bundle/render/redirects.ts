import { bundlePath, pageAddress, textDirection } from '@galley/library/records'

import type { Layout } from '../layout.ts'
import { escapeText, scriptJson } from './markup.ts'
import type { Urls } from './urls.ts'
import { urlsFrom } from './urls.ts'

/**
 * The files that redirect from earlier addresses to their pages: one small page for each, which works on every host and in
 * every folder, and one list for hosts that redirect on the server. No file has a name with a query, so the page at its path
 * runs a script; `others` have `queryScript`.
 */
export function redirectFiles(
  { redirects, queries, pages, site }: Pick<Layout, 'redirects' | 'queries' | 'pages' | 'site'>,
  others: readonly string[],
  baseUrl: string | null,
): readonly { readonly path: string; text(): string }[] {
  if (redirects.length + queries.length === 0) return []
  const pageAt = new Map(pages.map((page) => [page.path, page]))
  const root = baseUrl === null ? '/' : new URL(baseUrl).pathname
  // Some file systems treat two spellings of a path as one file. Hosts that read the list distinguish them.
  const taken = new Set(pages.map(({ path }) => path.toLowerCase()))
  const isFree = (path: string): boolean => taken.size < taken.add(path.toLowerCase()).size
  const reached = new Set(queries.map(({ from }) => from))
  const asked = [...reached].filter((from) => !others.includes(from)).map((from) => ({ from, to: null }))
  return [
    ...[...redirects, ...asked]
      .filter(({ from }) => isFree(from))
      .map(({ from, to }) => ({
        path: from,
        text: () =>
          redirectPage({
            from,
            to,
            isAsked: reached.has(from),
            baseUrl,
            page: to === null ? undefined : pageAt.get(to),
            site,
          }),
      })),
    ...(queries.length === 0
      ? []
      : [{ path: bundlePath.queries, text: () => queryRedirects(queries, urlsFrom(bundlePath.queries, baseUrl)) }]),
    {
      path: bundlePath.redirects,
      text: () =>
        [
          // The first matching line applies. Without the exclamation mark, an existing file at the path would take
          // precedence.
          ...queries.map(
            ({ from, query, to }) =>
              `${pageAddress(root, from)} ${query.replaceAll('&', ' ')} ${pageAddress(root, to)} 301!\n`,
          ),
          ...redirects.map(({ from, to }) => `${pageAddress(root, from)} ${pageAddress(root, to)} 301\n`),
        ].join(''),
    },
  ]
}

/** A script for the head of a page that queries redirect from; it loads the list only where there is a query. */
export const queryScript = ({ path, to }: Urls): string =>
  `<script>location.search&&document.head.append(Object.assign(document.createElement('script'),` +
  `${scriptJson({ id: path, src: to(bundlePath.queries) })}))</script>`

/** The script that redirects: its id is the file that the reader has opened. */
function queryRedirects(queries: Layout['queries'], urls: Urls): string {
  const byFile = Map.groupBy(queries, ({ from }) => from)
  const lists = [...byFile].map(([from, list]) => [from, list.map(({ query, to }) => [query, urls.to(to)])])
  return [
    // A block keeps the names away from other scripts.
    `{\nconst lists = ${JSON.stringify(Object.fromEntries(lists), null, 1)}`,
    'const script = document.currentScript',
    'const asked = new URLSearchParams(location.search)',
    'const isAsked = ([query]) => [...new URLSearchParams(query)].every(([name, value]) => asked.get(name) === value)',
    'const found = lists[script.id].find(isAsked)?.[1]',
    'if (found !== undefined) location.replace(new URL(found, script.src).href + location.hash)',
    'else if (script.dataset.otherwise !== undefined) location.replace(script.dataset.otherwise)\n}\n',
  ].join('\n')
}

/** Whether a host that applies this list redirects readers of a file. `root`: the path of the site's base URL, with its `/`. */
export function redirectedBy(list: string, root: string): (path: string) => boolean {
  // Lines with more words are for queries.
  const words = list.split('\n').map((line) => line.split(' '))
  const from = new Set(words.flatMap(([path, ...rest]) => (rest.length === 2 ? [path] : [])))
  return (path) => from.has(pageAddress(root, path))
}

/**
 * A page that redirects at once and is not indexed. Its link is for browsers that do not follow the redirect; without a target
 * it leads to the home page. `isAsked`: queries redirect from it, before anything else does.
 */
function redirectPage({
  from,
  to,
  isAsked,
  baseUrl,
  page,
  site,
}: {
  readonly from: string
  readonly to: string | null
  readonly isAsked: boolean
  readonly baseUrl: string | null
  readonly page: Pick<Layout['pages'][number], 'title' | 'language' | 'dir'> | undefined
  readonly site: Layout['site']
}): string {
  const urls = urlsFrom(from, baseUrl)
  const url = escapeText(urls.to(to ?? bundlePath.home))
  const title = escapeText(page?.title ?? site.name)
  const { language } = site.publishing
  const refresh = to === null ? [] : [`<meta http-equiv="refresh" content="0; url=${url}">`]
  const otherwise = to === null ? '' : ` data-otherwise="${url}"`
  const script = `<script id="${escapeText(from)}" src="${escapeText(urls.to(bundlePath.queries))}"${otherwise}></script>`
  return [
    '<!DOCTYPE html>',
    `<html lang="${escapeText(page?.language ?? language)}" dir="${page?.dir ?? textDirection(language)}">`,
    '<meta charset="utf-8">',
    `<title>${title}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    ...(baseUrl === null || to === null
      ? []
      : [`<link rel="canonical" href="${escapeText(pageAddress(baseUrl, to))}">`]),
    ...(isAsked ? [script, ...refresh.map((tag) => `<noscript>${tag}</noscript>`)] : refresh),
    `<p><a href="${url}">${title}</a></p>`,
    '</html>\n',
  ].join('\n')
}
