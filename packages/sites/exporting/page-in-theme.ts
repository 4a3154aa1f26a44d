import type { ExportFailure } from '@galley/library/records'
import { bundlePath, invalidTheme } from '@galley/library/records'
import type { JobContext } from '@galley/platform'
import type { Result } from '@galley/wire'
import { createPageWords, fail, ok, rewriteHtml } from '@galley/wire'

import { withoutForbidden } from '../bundle/render/markup.ts'
import { createPages } from '../bundle/render/pages.ts'
import { markedParts } from '../bundle/render/whole-document.ts'
import { planInTheme } from './export-bundle.ts'
import { sourceIn } from './export-here.ts'
import type { PageInTheme, PageInThemeInput } from './jobs.ts'
import { programKey } from './known-texts.ts'
import { withPageCache } from './page-cache.ts'
import { shortHashOf } from './short-hash.ts'
import { ioFailure } from './target-lock.ts'
import { watchFor } from './watch.ts'

/**
 * Renders one page as an export does, in a background thread: the lists, menus and neighbours are those of the whole site,
 * of which no other page is rendered. The first comment ends with the number of elements behind it that were in the head.
 */
export async function pageInTheme(
  { source: given, themes, materialId, html, mark }: PageInThemeInput,
  { ask, signal, progress }: JobContext,
): Promise<Result<PageInTheme, ExportFailure>> {
  const source = sourceIn(given, ask)
  try {
    return await withPageCache(source, async (cache) => {
      const planned = await planInTheme(source, { baseUrl: null, themes }, watchFor(signal, progress), cache)
      if (!planned.ok) return planned
      const { layout, theme, settings, baseUrl } = planned.value
      const page = layout.pages.find((each) => each.materialId === materialId)
      if (page === undefined) throw new Error('The page is not among those of its site')
      const pages = createPages(layout, theme.theme, {
        baseUrl,
        settings,
        searchScripts: [],
        digest: shortHashOf,
        nowMs: () => performance.now(),
        program: programKey(),
      })
      const reading = createPageWords(0)
      rewriteHtml(html, () => [], reading.reader)
      const made = pages.page(page, {
        ...markedParts(withoutForbidden(html), (content, moved) => `<!--${mark} ${moved}-->${content}<!--${mark}-->`),
        words: '',
        hasHeading: reading.shows('h1'),
        hasMain: reading.shows('main'),
      })
      if (!made.ok) return fail(invalidTheme(made.failure))
      // What the stored page names is not given to it: it has its own files.
      const [above = '', , below = ''] = made.value.split(`<!--${mark}`)
      return ok({
        html: made.value,
        path: page.path,
        fontsPath: bundlePath.fontsCss,
        assets: theme.assets.map(({ path, name, bytes }) => ({ path, name, bytes: new Uint8Array(bytes) })),
        blobs: layout.blobs.filter(({ path }) => (above + below).includes(encodeURI(path))),
      })
    })
  } catch (error) {
    return ioFailure(error)
  }
}
