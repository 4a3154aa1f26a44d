import { folded, termsOf, tokensOf } from '@galley/wire'
import MiniSearch from 'minisearch'

// The script of a published site's search page; `npm run search-asset` builds it into the default theme. It reads the
// pages from a script beside the page and sends no requests, so it also works from a disk.

/** As listed by `search/pages.js` of a bundle. */
interface ListedPage {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly tags: string
  readonly text: string
}

declare global {
  var galleyPages: readonly ListedPage[] | undefined
}

const resultsAtMost = 50

function start(): void {
  const input = document.querySelector<HTMLInputElement>('[data-galley-query]')
  const results = document.querySelector<HTMLElement>('[data-galley-results]')
  const status = document.querySelector<HTMLElement>('[data-galley-none]')
  const pages = globalThis.galleyPages ?? []
  if (input === null || results === null) return

  const index = new MiniSearch<ListedPage & { readonly id: number }>({
    fields: ['title', 'tags', 'description', 'text'],
    tokenize: (text) => [...tokensOf(text)],
    processTerm: (token) => token,
    searchOptions: {
      boost: { title: 4, tags: 2, description: 2 },
      tokenize: (typed) => termsOf(typed).flatMap(({ tokens }) => tokens),
      prefix: true,
      combineWith: 'AND',
    },
  })
  index.addAll(pages.map((page, id) => ({ ...page, id })))

  /** Pages with the words as written or begun, then pages with similar words; if there are none, with matches inside words. */
  function foundPages(query: string): readonly ListedPage[] {
    const found = [{}, { fuzzy: 0.15 }].flatMap((options) => index.search(query, options)).map(({ id }) => Number(id))
    // Letters of these scripts are words or syllables, so similar ones are others. The index does not know which are neighbours.
    const joined = termsOf(query).filter(({ isJoined }) => isJoined)
    const written = [...new Set(found)]
      .flatMap((id) => pages[id] ?? [])
      .filter((page) => joined.every(({ text }) => isIn(page, text)))
    return written.length > 0 ? written : pages.filter((page) => isIn(page, folded(query)))
  }

  const isIn = ({ title, tags, description, text }: ListedPage, wanted: string): boolean =>
    folded([title, tags, description, text].join('\n')).includes(wanted)

  const item = ({ url, title, description }: ListedPage): HTMLElement => {
    const entry = document.createElement('li')
    const link = document.createElement('a')
    link.href = url
    link.textContent = title
    link.dir = 'auto'
    entry.append(link)
    if (description !== '') {
      const text = document.createElement('p')
      text.textContent = description
      text.dir = 'auto'
      entry.append(text)
    }
    return entry
  }
  const show = (): void => {
    const query = input.value.trim()
    const found = query === '' ? [] : foundPages(query).slice(0, resultsAtMost)
    results.replaceChildren(...found.map(item))
    if (status !== null)
      status.textContent = query !== '' && found.length === 0 ? (status.dataset['galleyNone'] ?? '') : ''
  }
  input.value = new URLSearchParams(location.search).get('q') ?? input.value
  input.addEventListener('input', show)
  input.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    show()
  })
  show()
}

start()
