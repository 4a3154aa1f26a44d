import type { MaterialId } from '@galley/wire'

import type { Outgoing } from '../../records/outgoing.ts'
import type { MenuItem, PageSettings, SitePublishing, ThemeSettings } from '../../records/site-model.ts'
import { publishingDefaults } from '../../records/site-model.ts'
import { stringList } from './string-list.ts'

/** The value types of SQLite columns. */
export type Cell = string | number | null

/** A row of `site_publishing`, by column name; null means the default. */
export interface PublishingRow {
  outgoing: Outgoing | null
  home: MaterialId | 'listing' | null
  language: string | null
  time_zone: string | null
  base_url: string | null
  description: string | null
  theme: string | null
  theme_settings: string | null
  menu: string | null
  footer: string | null
  posts_per_page: number | null
  head_snippet: string | null
  body_snippet: string | null
}

/** A row of `page`. */
export interface PageRow {
  path: string | null
  feed_path: string | null
  state: PageSettings['state']
  type: PageSettings['type']
  published: string | null
  updated: string | null
  first_saved: string | null
  not_before: string | null
  pinned: number
  language: string | null
  description: string | null
  tags: string
  author: string | null
  social_image: string | null
  canonical: string | null
  version: PageSettings['version']
}

/** The column of each setting, and how it is stored. */
export const publishingColumns: {
  readonly [Key in keyof SitePublishing]: readonly [keyof PublishingRow, (value: SitePublishing[Key]) => Cell]
} = {
  outgoing: ['outgoing', same],
  home: ['home', same],
  language: ['language', same],
  timeZone: ['time_zone', same],
  baseUrl: ['base_url', same],
  description: ['description', same],
  theme: ['theme', same],
  themeSettings: ['theme_settings', JSON.stringify],
  menu: ['menu', JSON.stringify],
  footer: ['footer', same],
  postsPerPage: ['posts_per_page', same],
  headSnippet: ['head_snippet', same],
  bodySnippet: ['body_snippet', same],
}

/** Redirects have their own table. */
export const pageColumns: {
  readonly [Key in keyof Omit<PageSettings, 'redirectsFrom'>]: readonly [
    keyof PageRow,
    (value: PageSettings[Key]) => Cell,
  ]
} = {
  path: ['path', same],
  feedPath: ['feed_path', same],
  state: ['state', same],
  type: ['type', same],
  published: ['published', same],
  updated: ['updated', same],
  firstSaved: ['first_saved', same],
  notBefore: ['not_before', same],
  pinned: ['pinned', Number],
  language: ['language', same],
  description: ['description', same],
  tags: ['tags', JSON.stringify],
  author: ['author', same],
  socialImage: ['social_image', same],
  canonical: ['canonical', same],
  version: ['version', same],
}

function same(value: Cell): Cell {
  return value
}

/** Only the settings with values; all others use the defaults. */
export function storedPublishing(row: PublishingRow): Partial<SitePublishing> {
  const said = {
    outgoing: row.outgoing,
    home: row.home,
    language: row.language,
    timeZone: row.time_zone,
    baseUrl: row.base_url,
    description: row.description,
    theme: row.theme,
    themeSettings: row.theme_settings === null ? null : (JSON.parse(row.theme_settings) as ThemeSettings),
    menu: row.menu === null ? null : (JSON.parse(row.menu) as MenuItem[]),
    footer: row.footer,
    postsPerPage: row.posts_per_page,
    headSnippet: row.head_snippet,
    bodySnippet: row.body_snippet,
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null))
}

export const toPublishing = (row: PublishingRow | undefined): SitePublishing => ({
  ...publishingDefaults,
  ...(row && storedPublishing(row)),
})

export const toPageSettings = (row: PageRow, redirectsFrom: readonly string[]): PageSettings => ({
  path: row.path,
  redirectsFrom,
  feedPath: row.feed_path,
  state: row.state,
  type: row.type,
  published: row.published,
  updated: row.updated,
  firstSaved: row.first_saved,
  notBefore: row.not_before,
  pinned: row.pinned === 1,
  language: row.language,
  description: row.description,
  tags: stringList(row.tags),
  author: row.author,
  socialImage: row.social_image,
  canonical: row.canonical,
  version: row.version,
})
