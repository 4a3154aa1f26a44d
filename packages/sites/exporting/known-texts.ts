import type { KnownLinks } from '../bundle/link-check.ts'
import type { createPages } from '../bundle/render/pages.ts'
import type { BundleText } from './bundle-texts.ts'
import type { PageCache } from './page-cache.ts'

/** Set by the build, see electron.vite.config.ts. */
declare const __BUILT_FROM__: string | undefined

/** Differs between builds of different sources, which may render the same page differently. */
const builtFrom = typeof __BUILT_FROM__ === 'undefined' ? 'sources' : __BUILT_FROM__

/** What is kept of a text between exports, see decision 116. */
interface KnownText {
  readonly bytes: number
  readonly sha256: string
  /** What its template has read of the site, and the key of that. */
  readonly reads: readonly string[]
  readonly readsKey: string
  /** Of a page: its words for the search page. */
  readonly words: string | null
  /** Null if they were not checked. */
  readonly links: KnownLinks | null
}

interface KnownTextsSource {
  readonly cache: PageCache
  readonly pages: Pick<ReturnType<typeof createPages>, 'readsKey'>
  readonly publicBases: readonly string[]
}

/** Texts of earlier exports that need not be rendered again. */
export function createKnownTexts({ cache, pages, publicBases }: KnownTextsSource) {
  const keyOf = (text: BundleText): string | null => {
    const key = text.key?.() ?? null
    return key && JSON.stringify(['text', publicBases, key])
  }

  return {
    keyOf,
    /** The text with this key, if everything that its template has read of the site is still the same. */
    find(key: string | null): KnownText | null {
      const known = key === null ? null : (cache.get(key) as KnownText | null)
      return known !== null && pages.readsKey(known.reads) === known.readsKey ? known : null
    },
    /** `reads`: null if they are not all of what the text depends on. */
    keep(
      key: string | null,
      reads: readonly string[] | null,
      text: Pick<KnownText, 'bytes' | 'sha256' | 'words' | 'links'>,
    ): void {
      if (key === null || reads === null) return
      cache.add(key, { ...text, reads, readsKey: pages.readsKey(reads) } satisfies KnownText)
    },
  }
}

/** What decides how a text is rendered besides the site and the theme: the program. */
export const programKey = (): string => JSON.stringify([builtFrom, process.versions])
