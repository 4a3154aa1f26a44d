/** The pages of the export bench as a Hugo site, with a theme that generates the same kinds of pages. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { pageHtml, titleOf } from './site.ts'

const head =
  '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{{ .Title }} - {{ site.Title }}</title>' +
  '<meta name="description" content="{{ .Summary | plainify | truncate 160 }}"><link rel="canonical" href="{{ .Permalink }}">' +
  '<meta property="og:title" content="{{ .Title }}"><link rel="stylesheet" href="{{ "style.css" | relURL }}"></head>'
const pageLayout = `<!doctype html><html lang="en">${head}<body><header><a href="{{ "" | relURL }}">{{ site.Title }}</a></header><main><article>
<time datetime="{{ .Date.Format "2006-01-02" }}">{{ .Date.Format "2 January 2006" }}</time>{{ .Content }}</article>
<nav>{{ with .PrevInSection }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}{{ with .NextInSection }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}</nav></main></body></html>`
const listLayout = `<!doctype html><html lang="en">${head}<body><main><h1>{{ .Title }}</h1><ul>{{ range (.Paginate site.RegularPages).Pages }}
<li><a href="{{ .RelPermalink }}">{{ .Title }}</a> <time>{{ .Date.Format "2006-01-02" }}</time><p>{{ .Summary | plainify | truncate 160 }}</p></li>{{ end }}</ul>
{{ with .Paginator.Prev }}<a href="{{ .URL }}">Newer</a>{{ end }}{{ with .Paginator.Next }}<a href="{{ .URL }}">Older</a>{{ end }}</main></body></html>`

/** Writes the site below a folder. Returns the layout of its pages. */
export function writeHugoSite(folder: string, pages: number): string {
  for (const name of ['content/posts', 'layouts/_default', 'static']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(
    join(folder, 'config.toml'),
    'baseURL = "https://bench.example/"\ntitle = "Bench"\npaginate = 20\n[permalinks]\nposts = "/:slug/"\n',
  )
  for (let page = 0; page < pages; page += 1) {
    const html = pageHtml(page, pages, (other) => `/post-${other}/`)
    const front = { title: titleOf(page), slug: `post-${page}`, date: new Date(1.7e12 + page * 6e4).toISOString() }
    writeFileSync(join(folder, 'content', 'posts', `post-${page}.html`), `${JSON.stringify(front)}\n\n${html}`)
  }
  const layout = join(folder, 'layouts', '_default', 'single.html')
  writeFileSync(layout, pageLayout)
  writeFileSync(join(folder, 'layouts', '_default', 'list.html'), listLayout)
  writeFileSync(join(folder, 'static', 'style.css'), 'body { max-width: 40rem; margin: auto }\n')
  return layout
}
