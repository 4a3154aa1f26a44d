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

/** Splits words by the rules of the page's language, including languages without spaces. */
const segmenter = new Intl.Segmenter(document.documentElement.lang || undefined, { granularity: 'word' })
const wordsOf = (text: string): string[] =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)

/** Ignores case and accents: `Café` is found as `cafe`. */
const plain = (term: string): string => term.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

function start(): void {
  const input = document.querySelector<HTMLInputElement>('[data-galley-query]')
  const results = document.querySelector<HTMLElement>('[data-galley-results]')
  const status = document.querySelector<HTMLElement>('[data-galley-none]')
  const pages = globalThis.galleyPages ?? []
  if (input === null || results === null) return

  const index = new MiniSearch<ListedPage & { readonly id: number }>({
    fields: ['title', 'tags', 'description', 'text'],
    tokenize: wordsOf,
    processTerm: plain,
    searchOptions: { boost: { title: 4, tags: 2, description: 2 }, prefix: true, combineWith: 'AND' },
  })
  index.addAll(pages.map((page, id) => ({ ...page, id })))

  /**
   * Pages with the words as written or begun, then pages with similar words. If there are none, matches inside words,
   * for languages that join small words to others, such as Arabic.
   */
  function foundPages(query: string): readonly ListedPage[] {
    const written = [{}, { fuzzy: 0.15 }].flatMap((options) => index.search(query, options)).map(({ id }) => Number(id))
    if (written.length > 0) return [...new Set(written)].flatMap((id) => pages[id] ?? [])
    const wanted = plain(query)
    return pages.filter(({ title, tags, description, text }) =>
      plain(`${title} ${tags} ${description} ${text}`).includes(wanted),
    )
  }

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
