import { knownUrls, rewriteCss, rewriteHtml } from '@galley/wire'

import type { WrittenKind } from '../written-file.ts'

/** The text of a drawing or a style sheet with relative paths in place of these URLs. It is in a folder at the top of the bundle. */
export function withLocalPaths(
  kind: WrittenKind,
  text: string,
  urls: readonly string[],
  pathByUrl: (url: string) => string | null,
): string {
  const targets = urls.flatMap((url) => {
    const path = pathByUrl(url)
    // A file with these bytes may be in two folders, so the path is independent of its own folder.
    return path === null ? [] : [[url, `../${path}`] as const]
  })
  const find = knownUrls(new Map(targets))
  return kind === 'sheet' ? rewriteCss(text, find).text : rewriteHtml(text, find).text
}
