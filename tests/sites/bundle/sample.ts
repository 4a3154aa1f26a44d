import { pageDefaults, publishingDefaults } from '../../../packages/library/records/site-model-fields.ts'
import type { MediaFile } from '../../../packages/library/records/version.ts'
import type { BundlePage, Layout, LayoutInput, PlannedPage } from '../../../packages/sites/bundle/layout.ts'
import { createPages } from '../../../packages/sites/bundle/render/pages.ts'
import type { Theme } from '../../../packages/sites/bundle/render/theme.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import { mediaPath } from '../../../packages/wire/protocol/public-url.ts'

const publicBase = 'https://media.example.org'

/** A fake hash with the given first digits. */
export const shaOf = (start: string): Sha256 => start.padEnd(64, '0') as Sha256

export const mediaFile = (name: string, start: string): MediaFile => ({
  name,
  sizeBytes: 10,
  sha256: shaOf(start),
  url: publicBase + mediaPath(shaOf(start), name),
})

export const aPage = (
  materialId: string,
  fields: Partial<Omit<BundlePage, 'version'>> & Partial<BundlePage['version']> = {},
) => {
  const { title = `Title ${materialId}`, slug = `slug-${materialId}`, settings = pageDefaults, ...version } = fields
  return {
    materialId,
    title,
    slug,
    settings,
    version: {
      versionId: `v-${materialId}`,
      versionCdate: '2024-03-01T10:00:00+00:00',
      receivedAt: '2024-03-01T10:00:05.000Z',
      html: shaOf('aa'),
      media: [],
      verdict: null,
      ...version,
    },
  } satisfies BundlePage
}

export const aLayoutInput = (fields: Partial<LayoutInput> = {}): LayoutInput => ({
  site: {
    id: 'site',
    name: 'My <Site>',
    publishing: publishingDefaults,
    tagFolders: new Map(),
    hasChosenHome: false,
  },
  pages: [],
  facts: new Map(),
  fonts: null,
  furtherMedia: [],
  urls: new Map(),
  activeFiles: new Set(),
  extensions: new Map(),
  written: new Map(),
  ...fields,
})

/** A theme of the earlier form with four templates, and the pages that bundles require since then. */
const plainTheme: Theme = {
  manifest: { name: 'plain', label: 'Plain', version: '1', settings: [], words: {} },
  templates: new Map([
    [
      'page.html',
      '<html lang="{{lang}}"><head><title>{{title}}</title>{{head}}<link href="{{style}}"></head><a href="{{home}}">{{site}}</a><main>{{content}}</main></html>',
    ],
    [
      'home.html',
      '<html lang="{{lang}}"><head>{{head}}<link href="{{style}}"></head><h1>{{site}}</h1><ul>{{pages}}</ul></html>',
    ],
    ['home-item.html', '<li><a href="{{url}}">{{title}}</a> {{date}}</li>\n'],
    ['list.html', '{{head}}{{title}}<ul>{{pages}}</ul>{{list.newer_url}} {{list.older_url}}'],
    [
      'archive.html',
      '{{head}}<h1>{{title}}</h1>{% for year in archive.years %}<h2>{{year.year}}: {{year.count}}</h2>{% for post in year.posts %}<p>{{post.title}}</p>{% endfor %}{% endfor %}',
    ],
    ...['tags', 'search', '404'].map((name) => [`${name}.html`, '{{head}}<h1>{{title}}</h1>'] as const),
  ]),
  assets: new Map([['style.css', 'theme/style-0.css']]),
}

export const plainPages = (layout: Layout, baseUrl: string | null = null) =>
  createPages(layout, plainTheme, {
    baseUrl,
    settings: {},
    searchScripts: [],
    digest: (text) => text,
    nowMs: () => 0,
    program: '',
  })

/** A page as an export makes it of its stored HTML. */
export const pageAround = (pages: ReturnType<typeof plainPages>, page: PlannedPage, stored: string) =>
  pages.page(page, pages.rewrite(page, stored))
