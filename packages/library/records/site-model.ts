import type { MaterialId, Sha256, VersionId } from '@galley/wire'
import { isSha256 } from '@galley/wire'

import type { Outgoing } from './outgoing.ts'

// Publishing settings of a site and its pages. They are part of the shared library and stored as changes in the log. Moments are ISO 8601 UTC; addresses are paths below the site, lower-case segments joined by `/`,
// without a slash at either end.

export const pageStates = ['draft', 'published', 'hidden'] as const
/** `draft`: not published. `hidden`: published, but in no list, feed or sitemap. */
export type PageState = (typeof pageStates)[number]

export const pageTypes = ['post', 'page'] as const
/** Posts are in the site's lists and feeds, ordered by date. Pages are reached from the menu or by links. */
export type PageType = (typeof pageTypes)[number]

/** Publishing settings of one material. `null` and empty lists mean: derive the value from the page. */
export interface PageSettings {
  /** The address of the page. Set at the first publication or by a person, then kept; null: not set yet. */
  readonly path: string | null
  /** Earlier addresses, newest first. Each redirects to `path`. */
  readonly redirectsFrom: readonly string[]
  /** The address that the page's entry in feeds is known by. Set when the page first moves, then kept; null: `path`. */
  readonly feedPath: string | null
  readonly state: PageState
  readonly type: PageType
  /** The date set by a person or of the first publication; null: not published yet. */
  readonly published: string | null
  /**
   * The moment from which readers are told that the page was updated, or `none`: they are not told. Null: that of the published
   * version, if it is later than the first one that was published.
   */
  readonly updated: string | null
  /** The moment of the first version that was published; null: not published yet. */
  readonly firstSaved: string | null
  /** The page is not published before this moment. */
  readonly notBefore: string | null
  /** Listed before all other posts. */
  readonly pinned: boolean
  /** BCP 47. */
  readonly language: string | null
  readonly description: string | null
  readonly tags: readonly string[]
  readonly author: string | null
  /** The name of one of the version's media files, or an absolute URL. */
  readonly socialImage: string | null
  /** An absolute URL, if the page was first published elsewhere. */
  readonly canonical: string | null
  readonly version: 'latest' | 'approved' | VersionId
}

/** Settings of a material until somebody changes them. */
export const pageDefaults: PageSettings = {
  path: null,
  redirectsFrom: [],
  feedPath: null,
  state: 'published',
  type: 'post',
  published: null,
  updated: null,
  firstSaved: null,
  notBefore: null,
  pinned: false,
  language: null,
  description: null,
  tags: [],
  author: null,
  socialImage: null,
  canonical: null,
  version: 'latest',
}

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

/** Publishing settings of a site. */
export interface SitePublishing {
  readonly outgoing: Outgoing
  /** The home page: the list of posts, or one of the materials. */
  readonly home: 'listing' | MaterialId
  readonly language: string
  /** The IANA name of the zone whose days and wall times the site shows. Set when the site is created. */
  readonly timeZone: string
  /** Absolute, with a trailing slash; null: unknown, so the sitemap, the feeds and everything else that needs absolute URLs is left out. */
  readonly baseUrl: string | null
  readonly description: string | null
  /** The name of a built-in theme, or `files:` and the SHA-256 of the files of a person's theme. */
  readonly theme: string
  readonly themeSettings: ThemeSettings
  readonly menu: readonly MenuItem[]
  /** Text at the foot of every page; null: the site's name. */
  readonly footer: string | null
  /** The number of posts on each page of a list. */
  readonly postsPerPage: number
  /** HTML for the end of every page's head and body. */
  readonly headSnippet: string
  readonly bodySnippet: string
}

/** Settings of a site until somebody changes them. */
export const publishingDefaults: SitePublishing = {
  outgoing: 'not-rejected',
  home: 'listing',
  language: 'en',
  timeZone: 'UTC',
  baseUrl: null,
  description: null,
  theme: 'default',
  themeSettings: {},
  menu: [],
  footer: null,
  postsPerPage: 20,
  headSnippet: '',
  bodySnippet: '',
}

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
