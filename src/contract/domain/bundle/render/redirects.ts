import type { Layout } from '../layout.ts'
import { bundlePath, pageAddress } from '../paths.ts'
import { escapeText } from './markup.ts'
import { urlsFrom } from './urls.ts'

/**
 * The files that redirect from earlier addresses to their pages: one small page for each, which works on every host and in
 * every folder, and one list for hosts that redirect on the server.
 */
export function redirectFiles(
  { redirects, pages, site }: Pick<Layout, 'redirects' | 'pages' | 'site'>,
  baseUrl: string | null,
): readonly { readonly path: string; text(): string }[] {
  if (redirects.length === 0) return []
  const pageAt = new Map(pages.map((page) => [page.path, page]))
  const root = baseUrl === null ? '/' : new URL(baseUrl).pathname
  // Some file systems treat two spellings of a path as one file. Hosts that read the list distinguish them.
  const taken = new Set(pages.map(({ path }) => path.toLowerCase()))
  const isFree = (path: string): boolean => taken.size < taken.add(path.toLowerCase()).size
  return [
    ...redirects
      .filter(({ from }) => isFree(from))
      .map(({ from, to }) => ({
        path: from,
        text: () => redirectPage({ from, to, baseUrl, page: pageAt.get(to), language: site.publishing.language }),
      })),
    {
      path: bundlePath.redirects,
      text: () => redirects.map(({ from, to }) => `${listed(root, from)} ${listed(root, to)} 301\n`).join(''),
    },
  ]
}

/** An address as hosts read it in the list: encoded, since a blank ends it. */
const listed = (root: string, path: string): string =>
  pageAddress(root, path.split('/').map(encodeURIComponent).join('/'))

/** Whether a host that applies this list redirects readers of a file. `root`: the path of the site's base URL, with its `/`. */
export function redirectedBy(list: string, root: string): (path: string) => boolean {
  const from = new Set(list.split('\n').map((line) => line.split(' ', 1)[0]))
  return (path) => from.has(listed(root, path))
}

/** A page that redirects at once and is not indexed. Its link is for browsers that do not follow the redirect. */
function redirectPage({
  from,
  to,
  baseUrl,
  page,
  language,
}: Layout['redirects'][number] & {
  readonly baseUrl: string | null
  readonly page: Pick<Layout['pages'][number], 'title' | 'language' | 'dir'> | undefined
  readonly language: string
}): string {
  const url = escapeText(urlsFrom(from, baseUrl).to(to))
  const title = escapeText(page?.title ?? '')
  return [
    '<!DOCTYPE html>',
    `<html lang="${escapeText(page?.language ?? language)}" dir="${page?.dir ?? 'ltr'}">`,
    '<meta charset="utf-8">',
    `<title>${title}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    ...(baseUrl === null ? [] : [`<link rel="canonical" href="${escapeText(pageAddress(baseUrl, to))}">`]),
    `<meta http-equiv="refresh" content="0; url=${url}">`,
    `<p><a href="${url}">${title}</a></p>`,
    '</html>\n',
  ].join('\n')
}
