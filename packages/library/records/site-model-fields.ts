import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'
import { z } from 'zod'

import { fieldMax } from './field-max.ts'
import type { ValuesOf } from './field.ts'
import { field, initialValues } from './field.ts'
import { materialId, moment, shortList, versionId } from './logged-values.ts'
import { outgoingRules } from './outgoing.ts'
import { isPagePath, isRedirectAddress } from './page-path.ts'
import type { ThemeSettings } from './site-model.ts'
import { isThemeName, pageStates, pageTypes } from './site-model.ts'
import { isZoneForm } from './time-zone.ts'

// The publishing settings of pages and sites, for the log, windows and commands.

const path = z.string().refine(isPagePath)
/** Whether the text has the form of a BCP 47 language tag. */
export const isLanguage = (text: string): boolean => /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,8}$/.test(text)
const language = z.string().refine(isLanguage)
/** Whether the text is an absolute http(s) URL. */
export const isHttpUrl = (text: string): boolean =>
  text.length <= 2000 && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
/** Whether a URL contains a user name or a password. */
export const namesUser = (url: string): boolean => new URL(url).username !== '' || new URL(url).password !== ''
/** Whether the text is an absolute http(s) URL without a user name and password, which every reader of a page would see. */
export const isWebAddress = (text: string): boolean => isHttpUrl(text) && !namesUser(text)
/** Whether the text can be a menu link: a web, mail or phone URL, or a path below the site. */
export const isMenuAddress = (text: string): boolean =>
  isWebAddress(text) ||
  /^(?:mailto:|tel:)[^\s<>"]{1,300}$/.test(text) ||
  /^(?![a-z]+:|\/\/)[^\s<>"\\]{1,1000}$/i.test(text)

/** Limits for each list. */
export const tagsAtMost = 50
export const redirectsAtMost = 1000
export const tagMaxChars = 64

/** Publishing settings of one material. `null` and empty lists mean: derive the value from the page. */
export const pageFields = {
  /** The address of the page. Set at the first publication or by a person, then kept; null: not set yet. */
  path: field('plain', path.nullable(), null),
  /** Earlier addresses, newest first. Each redirects to `path`. */
  redirectsFrom: field(
    'rows',
    shortList(z.string().refine(isRedirectAddress), redirectsAtMost).transform((paths): readonly string[] => [
      ...new Set(paths),
    ]),
    [],
  ),
  /** The address that the page's entry in feeds is known by. Set when the page first moves, then kept; null: `path`. */
  feedPath: field('plain', path.nullable(), null),
  state: field('plain', z.enum(pageStates), 'published'),
  type: field('plain', z.enum(pageTypes), 'post'),
  /** The date set by a person or of the first publication; null: not published yet. */
  published: field('plain', moment.nullable(), null),
  /**
   * The date of the update that the page shows, or `none`: it shows no update. Null: the date of the published version, if it
   * is later than that of the first published one.
   */
  updated: field('plain', z.union([moment, z.literal('none')]).nullable(), null),
  /** The moment of the first version that was published; null: not published yet. */
  firstSaved: field('plain', moment.nullable(), null),
  /** The page is not published before this moment. */
  notBefore: field('plain', moment.nullable(), null),
  /** Listed before all other posts. */
  pinned: field('flag', z.boolean(), false),
  /** BCP 47. */
  language: field('plain', language.nullable(), null),
  description: field('plain', z.string().max(fieldMax.description).nullable(), null),
  tags: field('json', shortList(z.string().min(1).max(tagMaxChars), tagsAtMost), []),
  author: field('plain', z.string().max(fieldMax.author).nullable(), null),
  /** The name of one of the version's media files, or an absolute URL. */
  socialImage: field('plain', z.string().min(1).max(fieldMax.url).nullable(), null),
  /** An absolute URL, if the page was first published elsewhere. */
  canonical: field('plain', z.string().refine(isWebAddress).nullable(), null),
  version: field('plain', z.union([z.enum(['latest', 'approved']), versionId]), 'latest'),
} as const
export interface PageSettings extends ValuesOf<typeof pageFields> {}
/** The initial settings of a material. */
export const pageDefaults: PageSettings = initialValues(pageFields)

const menuItem = z.object({
  label: z.string().min(1).max(fieldMax.menuLabel),
  target: z.union([z.object({ material: materialId }), z.object({ url: z.string().refine(isMenuAddress) })]),
})
const baseUrl = z
  .string()
  .max(fieldMax.url)
  .refine((text) => isWebAddress(text) && /^[^?#\s]+\/$/.test(text))
const themeSettings = z
  .record(z.string().regex(/^[A-Za-z][\w-]{0,63}$/), z.union([z.string().max(10_000), z.number(), z.boolean()]))
  .transform((settings): ThemeSettings => settings)

/** Publishing settings of a site. */
export const publishingFields = {
  outgoing: field('plain', z.enum(outgoingRules), 'not-rejected'),
  /** The home page: the list of posts, or one of the materials. */
  home: field('plain', z.union([z.literal('listing'), materialId]), 'listing'),
  language: field('plain', language, 'en'),
  /** The IANA name of the zone whose days and wall times the site shows. Set when the site is created. */
  timeZone: field('plain', z.string().refine(isZoneForm), 'UTC'),
  /** Absolute, with a trailing slash; null: unknown, so the sitemap, the feeds and everything else that needs absolute URLs is left out. */
  baseUrl: field('plain', baseUrl.nullable(), null),
  description: field('plain', z.string().max(fieldMax.description).nullable(), null),
  /** The name of a built-in theme, or `files:` and the SHA-256 of the files of a person's theme. */
  theme: field('plain', z.string().refine(isThemeName), 'default'),
  themeSettings: field('json', themeSettings, {}),
  menu: field('json', shortList(menuItem, 100), []),
  /** Text at the foot of every page; null: the site's name. */
  footer: field('plain', z.string().max(fieldMax.footer).nullable(), null),
  /** The number of posts on each page of a list. */
  postsPerPage: field('plain', z.int().min(1).max(fieldMax.postsPerPage), 20),
  /** HTML for the end of every page's head and body. */
  headSnippet: field('plain', z.string().max(100_000), ''),
  bodySnippet: field('plain', z.string().max(100_000), ''),
} as const
export interface SitePublishing extends ValuesOf<typeof publishingFields> {}
/** The initial settings of a site. */
export const publishingDefaults: SitePublishing = initialValues(publishingFields)

/** Tags as a person has entered them, each once, in one spelling; or the first one that is none. */
export function readTags(given: readonly string[]): Result<string[], string> {
  const tags = [...new Set(given.map((tag) => tag.normalize('NFC').trim()))]
  const bad = tags.find((tag) => tag === '' || tag.length > tagMaxChars || /[\p{Cc}\p{Cf}]/u.test(tag))
  return bad === undefined ? ok(tags) : fail(bad)
}
