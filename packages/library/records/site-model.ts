import type { MaterialId, Sha256 } from '@galley/wire'
import { isSha256 } from '@galley/wire'

// What publishing settings and exports have in common. Moments are ISO 8601 UTC; addresses are paths below the site, lower-case
// segments joined by `/`, without a slash at either end.

export const pageStates = ['draft', 'published', 'hidden'] as const
/** `draft`: not published. `hidden`: published, but in no list, feed or sitemap. */
export type PageState = (typeof pageStates)[number]

export const pageTypes = ['post', 'page'] as const
/** Posts are in the site's lists and feeds, ordered by date. Pages are reached from the menu or by links. */
export type PageType = (typeof pageTypes)[number]

export interface MenuItem {
  readonly label: string
  /** A material of the site, or a URL: absolute, or a path below the site. */
  readonly target: { readonly material: MaterialId } | { readonly url: string }
}

const filesOfTheme = 'files:'
/** The `theme` of a site whose theme is a file of the library, which holds all files of a person's theme. */
export const themeOfFiles = (file: Sha256): string => filesOfTheme + file
/** The file of such a theme; null for one that comes with Galley. */
export function fileOfTheme(theme: string): Sha256 | null {
  const file = theme.startsWith(filesOfTheme) ? theme.slice(filesOfTheme.length) : ''
  return isSha256(file) ? file : null
}
/** Whether a text has the form of the `theme` of a site. It is never a path. */
export const isThemeName = (theme: string): boolean =>
  fileOfTheme(theme) !== null || /^[a-z0-9][a-z0-9-]{0,63}$/.test(theme)

export type ThemeSettings = Readonly<Record<string, string | number | boolean>>

/** A page of a bundle, with all settings, defaults and its path resolved. */
export interface SitePage {
  readonly materialId: MaterialId
  readonly title: string
  /** `path` ends with `index.html`; the home page is `index.html` itself. */
  readonly path: string
  readonly redirectsFrom: readonly string[]
  readonly feedPath: string | null
  /** Drafts are not part of a bundle. */
  readonly state: Exclude<PageState, 'draft'>
  readonly type: PageType
  readonly published: string
  /** That of the publication if readers are not told of an update. */
  readonly updated: string
  /** The days of both in the site's time zone, as `2026-05-01`. */
  readonly publishedDay: string
  readonly updatedDay: string
  /** Whether the published page shows that it was updated. */
  readonly isUpdated: boolean
  readonly pinned: boolean
  readonly language: string
  readonly dir: 'ltr' | 'rtl'
  /** Defaults to the first paragraph; empty if the page has no text. */
  readonly description: string
  readonly tags: readonly string[]
  readonly author: string | null
  /** A path of the bundle or an absolute URL: the chosen picture, or the first of the page. */
  readonly image: string | null
  readonly canonical: string | null
}
