import type { ThemeProblem, ThemeSettings } from '@galley/library/records'
import { bundlePath, textDirection } from '@galley/library/records'
import { cause, fail, ok } from '@galley/wire'
import type { Result } from '@galley/wire'

import type { Layout } from '../layout.ts'
import { createEngine, urlsOfPage } from './engine.ts'
import type { PageFacts } from './head.ts'
import { headOf } from './head.ts'
import { linkTag, Markup, withoutForbidden } from './markup.ts'
import type { Outline } from './outline.ts'
import type { Digest } from './reads.ts'
import { createPageDigests, createReads } from './reads.ts'
import { queryScript } from './redirects.ts'
import type { Theme } from './theme.ts'
import type { Urls } from './urls.ts'
import { urlsFrom } from './urls.ts'
import { createViews } from './views.ts'
import type { Words } from './words.ts'

/** The inputs shared by all pages of a bundle. */
export interface BundleInputs {
  readonly layout: Layout
  readonly outline: Outline
  readonly theme: Theme
  readonly words: Words
  readonly settings: ThemeSettings
  readonly baseUrl: string | null
  readonly digest: Digest
  readonly nowMs: () => number
  /** Everything else that decides how templates are rendered: the program and its runtime. */
  readonly program: string
}

/** A page to render with a template. */
export interface DocumentRequest {
  readonly template: string
  readonly urls: Urls
  readonly facts: PageFacts
  /** Values for this page only, in addition to the shared ones. */
  readonly values: object
  /** For a stored page: elements for the head, and markup for the theme's main part. */
  readonly stored?: { readonly head: readonly string[]; readonly content: string }
}

/** How long the templates of a run may take together: ten times what the slowest known theme takes on a busy machine. */
const renderTimeMs = ({ pages }: Layout): number => 60_000 + 50 * pages.length

/** Renders HTML documents from templates. */
export function createDocuments(inputs: BundleInputs) {
  const { layout, outline, theme, words, settings, baseUrl, digest, program } = inputs
  const { site, fontsCss } = layout
  const { headSnippet, bodySnippet } = site.publishing
  const queried = new Set(layout.queries.map(({ from }) => from))
  const digestOf = createPageDigests(digest)
  const reads = createReads(inputs, digest, digestOf)
  const time = { nowMs: inputs.nowMs, allowedMs: renderTimeMs(layout) }
  const engine = createEngine(theme, site.publishing.timeZone, reads.noteImpure, time)
  const views = createViews({ layout, outline, words, settings, baseUrl, reads, digest, digestOf })
  const ownIcon = ['favicon.svg', 'favicon.png', 'favicon.ico'].flatMap((name) => theme.assets.get(name) ?? [])[0]
  const style = theme.assets.get('style.css')
  // Newer themes list posts themselves.
  const printsItems =
    theme.templates.has('home-item.html') && [...theme.templates.values()].some((text) => /\bpages\b/.test(text))

  /** What all documents depend on. */
  const shared = digest(
    JSON.stringify([
      program,
      [theme.manifest, [...theme.templates], [...theme.assets]],
      [words, settings, baseUrl],
      [site.id, site.name, site.publishing, fontsCss === null, views.siteKey],
    ]),
  )

  const headLines = ({ urls, facts, stored }: DocumentRequest): string =>
    [
      ...(queried.has(urls.path) ? [queryScript(urls)] : []),
      // Only the first base of a page counts. If the stored page brings its own, relative addresses would be resolved
      // against it.
      ...(/<base\b/i.test(stored?.content ?? '') ? [`<base href="${urls.to(urls.path)}">`] : []),
      ...(fontsCss === null || stored === undefined ? [] : [linkTag('stylesheet', urls.to(bundlePath.fontsCss))]),
      linkTag('icon', urls.to(ownIcon ?? bundlePath.favicon)),
      ...headOf(site, facts, urls),
      ...(stored?.head ?? []),
      ...(headSnippet === '' ? [] : [headSnippet]),
    ].join('\n')

  /** The list for older themes: one item per post. */
  function items(posts: readonly object[], urls: Urls): Result<Markup, ThemeProblem> {
    const made: string[] = []
    const common = { ...views.common(urls), [urlsOfPage]: urls }
    for (const post of printsItems ? posts : []) {
      const item = engine.render('home-item.html', { ...common, ...post, post })
      if (!item.ok) return item
      made.push(item.value.trimEnd())
    }
    return ok(new Markup(made.join('\n')))
  }

  return {
    views,
    reads,
    /** Names everything that the document of a template at a path depends on, if `about` names its values and its facts. */
    keyOf: (template: string, path: string, about: unknown): string =>
      JSON.stringify([shared, template, path, queried.has(path), about]),
    hasOwnIcon: ownIcon !== undefined,
    items,
    /** Builds relative URLs from this page to others. */
    urlsFrom: (path: string): Urls => urlsFrom(path, baseUrl, path === bundlePath.notFound),

    make(request: DocumentRequest): Result<string, ThemeProblem> {
      const { template, urls, facts, values, stored } = request
      const content = new Markup(stored?.content ?? '')
      const rendered = engine.render(template, {
        ...views.common(urls),
        ...values,
        [urlsOfPage]: urls,
        lang: facts.language,
        dir: textDirection(facts.language),
        title: facts.title,
        head: new Markup(headLines(request)),
        home: urls.to(bundlePath.home),
        style: style === undefined ? null : urls.to(style),
        content,
      })
      if (!rendered.ok) return rendered
      if (stored !== undefined && !content.isUsed)
        return fail({
          file: template,
          line: null,
          column: null,
          problem: cause('theme_output', { name: '{{ content }}' }),
        })
      return ok(withoutForbidden(bodySnippet === '' ? rendered.value : withBodySnippet(rendered.value, bodySnippet)))
    },
  }
}

export type Documents = ReturnType<typeof createDocuments>

function withBodySnippet(html: string, snippet: string): string {
  const end = html.lastIndexOf('</body>')
  return end === -1 ? `${html}${snippet}\n` : `${html.slice(0, end)}${snippet}\n${html.slice(end)}`
}
