import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { PageSettings, SitePublishing } from '../../../packages/library/records/site-model-fields.ts'
import { pageDefaults, publishingDefaults } from '../../../packages/library/records/site-model-fields.ts'
import type { ExportOptions } from '../../../packages/sites/exporting/export-bundle.ts'
import type { BundleSource } from '../../../packages/sites/exporting/source.ts'
import type { MaterialId } from '../../../packages/wire/ids.ts'
import { temporaryFolder } from './folders.ts'
import { createSampleLibrary, publicBase } from './sample-library.ts'
import { foldersOf } from './themed-site.ts'

/** One change of a site: its kind, the page that it concerns, and the value that it sets. */
export type SiteChange = readonly [kind: number, page: number, value: number]

const ids: MaterialId[] = ['1', '2', '3', '4', '5', '6', '7']
const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('no items')
  return item
}

/** Prints all that a template can read, or a part of it that depends on the page. */
const greedyTemplates = [
  '{{ head }}{{ content }}{{ settings | json }}{{ site | json }}{{ page | json }}{% if list %}{{ list | json }}{% endif %}{% if archive %}{{ archive | json }}{% endif %}',
  '{{ head }}{{ content }}{{ settings.hue }}{% if page.kind == "post" %}{{ page.next.tags | json }}{% else %}{{ site.tags | json }}{% endif %}',
  '{{ head }}{{ content }}{% if page.tags %}{% for tag in page.tags %}{{ tag.name }}{% if tag.count > 1 %}{{ tag.count }}{{ site.sections | json }}{% endif %}{% endfor %}{% endif %}',
  '{{ head }}{{ content }}{% if list %}{% for post in list.posts %}{% for tag in post.tags %}{{ tag.url }} {{ tag.count }}{% endfor %}{% endfor %}{% endif %}{{ settings | json }}',
]

export const themeCount = 3 + greedyTemplates.length

/** A theme of one template for all pages. */
export function themeOf(template: string): string {
  const folder = temporaryFolder()
  const manifest = {
    name: 'own',
    label: 'Own',
    version: '1.0',
    settings: [{ key: 'hue', label: 'Hue', type: 'text', default: 'red' }],
  }
  writeFileSync(join(folder, 'theme.json'), JSON.stringify(manifest))
  for (const name of ['page', 'home', 'list', 'tags', 'archive', 'search', '404'])
    writeFileSync(join(folder, `${name}.html`), template)
  return folder
}

/** Texts of pages: links to others, anchors, files of this and earlier saves, whole documents, broken links. */
const bodies = (page: number, mine: string, earlier: string): readonly string[] => [
  `<h2 id="part">Part</h2><p>Page ${page} <a href="galley:material/2#part">to</a> <img src="${mine}"></p>`,
  `<p>Other words <a href="/page-3/">path</a> <a href="galley:material/4?x#no">gone</a> <a href="#own" id="own">own</a></p>`,
  `<h1>Own heading</h1><main><img src="${earlier}"> <a href="galley:material/9">nowhere</a> <a href="tags/">tags</a></main>`,
  `<!doctype html><html lang="fr"><head><base href="/b/"><meta name="robots" content="noindex"><style>.a{}</style></head><body><p>Whole</p></body></html>`,
  `<p>Plain</p>`,
  `<p>Paths <a href="../page-4/">four</a> <a href="../page-1/#part">part</a></p>`,
  // The same opening.
  `<p>Plain</p><p>One <a href="galley:material/5">five</a></p>`,
  `<p>Plain</p><p>Another <a href="galley:material/1">one</a></p>`,
]

const moments = ['2023-01-02T10:00:00.000Z', '2024-05-01T10:00:00.000Z', '2024-05-02T09:00:00.000Z', null]

const tagLists = [['Sea'], ['sea', 'Sun'], [], ['Sun', 'Été'], ['SEA'], ['Alone'], ['Été']]

const pageChanges: readonly ((value: number) => Partial<PageSettings>)[] = [
  (value) => ({ tags: at(tagLists, value) }),
  (value) => ({ state: at(['published', 'hidden'] as const, value) }),
  (value) => ({ type: at(['post', 'page'] as const, value) }),
  (value) => ({ published: at(moments, value) }),
  (value) => ({ pinned: value % 2 === 1 }),
  (value) => ({ language: at([null, 'ru', 'ar', 'de-AT'], value) }),
  (value) => ({ description: at([null, 'In short', 'In <other> words'], value) }),
  (value) => ({ author: at([null, 'Ada', 'Борис'], value) }),
  (value) => ({ canonical: at([null, 'https://first.example/a'], value) }),
  (value) => ({ socialImage: at([null, 'mine.png', 'earlier.png', 'https://a.example/b.png'], value) }),
  (value) => ({
    path: at([null, `moved-${value % 3}`, `moved/${value % 4}`], value),
    feedPath: at([null, 'first'], value),
  }),
  (value) => ({
    redirectsFrom: at([[], ['old'], ['old/er', `?p=${value % 5}`], ['page-3'], [`x.html?a=${value % 5}`]], value),
  }),
]

const siteChanges: readonly ((value: number) => Partial<SitePublishing>)[] = [
  (value) => ({ home: at(['listing', ...ids], value) }),
  (value) => ({ language: at(['en', 'ru', 'es', 'xx'], value) }),
  (value) => ({ description: at([null, 'About it'], value) }),
  (value) => ({ footer: at([null, 'Foot'], value) }),
  (value) => ({ postsPerPage: at([20, 1, 2, 3], value) }),
  (value) => ({ headSnippet: at(['', '<meta name="x">'], value) }),
  (value) => ({ bodySnippet: at(['', '<script>1</script>'], value) }),
  (value) => ({
    menu: at(
      [
        [],
        [{ label: 'A', target: { material: at(ids, value) } }],
        [{ label: 'B', target: { url: at(['/tags/', '#x', '/?q'], value) } }],
      ],
      value,
    ),
  }),
]

interface SiteState {
  readonly absent: Set<string>
  readonly settings: Map<string, Partial<PageSettings>>
  publishing: SitePublishing
  name: string
  baseUrl: string | null
  theme: number
  hue: string
  hasFonts: boolean
  bases: readonly string[]
  check: ExportOptions['check']
}

/** A site in memory that takes one change after another. `theme`: a number below `themeCount`. */
export function createChangingSite(theme: number) {
  const library = createSampleLibrary()
  const mine = [
    library.media('mine.png', 'mine'),
    library.media('mine.png', 'mine again'),
    library.media('d.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  ]
  const earlier = library.media('earlier.png', 'earlier')
  const themes = [
    ...['default', 'magazine', 'plain'].map(foldersOf),
    ...greedyTemplates.map((template) => [themeOf(template)]),
  ]
  const state: SiteState = {
    absent: new Set(),
    settings: new Map(ids.map((id, page) => [id, { tags: at(tagLists, page) }])),
    publishing: publishingDefaults,
    name: 'The Site',
    baseUrl: null,
    theme,
    hue: 'red',
    hasFonts: true,
    bases: [publicBase],
    check: 'warn',
  }
  const titles = new Map<string, string>()
  const save = (page: number, value: number): void => {
    const id = at(ids, page)
    const file = at(mine, value)
    library.save(id, at(bodies(page, file.url, earlier.url), value), [file], titles.get(id))
  }
  for (const [page] of ids.entries()) save(page, page)

  const others: readonly ((page: number, value: number) => void)[] = [
    save,
    (page, value) => {
      titles.set(at(ids, page), at(['One', 'Another <title>', `Page ${page}`], value))
      save(page, value)
    },
    (page) => {
      const id = at(ids, page)
      if (!state.absent.delete(id)) state.absent.add(id)
    },
    (_page, value) => void (state.name = at(['The Site', 'Другой'], value)),
    (_page, value) => void (state.baseUrl = at([null, 'https://a.example/', 'https://a.example/b/'], value)),
    (_page, value) => void (state.theme = value),
    (_page, value) => void (state.hue = at(['red', 'blue'], value)),
    () => void (state.hasFonts = !state.hasFonts),
    (_page, value) => void (state.bases = at([[publicBase], [publicBase, 'https://media.example']], value)),
    (_page, value) => void (state.check = at(['warn', 'off'] as const, value)),
  ]

  return {
    change([anyKind, page, value]: SiteChange): void {
      const id = at(ids, page)
      const kind = anyKind % (others.length + siteChanges.length + pageChanges.length)
      const other = others[kind]
      if (other !== undefined) return other(page, value)
      const site = siteChanges[kind - others.length]
      if (site !== undefined) return void (state.publishing = { ...state.publishing, ...site(value) })
      const settings = at(pageChanges, kind - others.length - siteChanges.length)(value)
      state.settings.set(id, { ...state.settings.get(id), ...settings })
    },

    source(): BundleSource {
      const source = library.source()
      return {
        ...source,
        site: {
          ...source.site,
          name: state.name,
          publishing: state.publishing,
          publicBases: state.bases,
          withheld: [...state.absent],
        },
        fonts: state.hasFonts ? source.fonts : null,
        pages: source.pages
          .filter(({ materialId }) => !state.absent.has(materialId))
          .map((page) => ({ ...page, settings: { ...pageDefaults, ...state.settings.get(page.materialId) } })),
      }
    },

    options: (): ExportOptions => ({
      baseUrl: state.baseUrl,
      check: state.check,
      themes: at(themes, state.theme),
      themeSettings: state.theme % themeCount < 3 ? {} : { hue: state.hue },
    }),
  }
}
