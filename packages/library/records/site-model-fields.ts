import type { MaterialId, VersionId } from '@galley/wire'
import { z } from 'zod'

import { moment } from './logged-values.ts'
import { outgoingRules } from './outgoing.ts'
import { isPagePath, isRedirectAddress } from './page-path.ts'
import type { ThemeSettings } from './site-model.ts'
import { isThemeName, pageStates, pageTypes } from './site-model.ts'
import { isZoneForm } from './time-zone.ts'

// The schema of publishing settings, for the log, windows and commands. site-model.ts explains the members.

const materialId = z
  .string()
  .max(1000)
  .transform((id): MaterialId => id)
/** Not `readonly`: zod would freeze the window's input before validating it, which fails for typed arrays. */
const list = <Item extends z.ZodType>(item: Item, atMost: number) =>
  z
    .array(item)
    .max(atMost)
    .transform((items): readonly z.output<Item>[] => items)
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

export const pageFields = {
  path: path.nullable(),
  redirectsFrom: list(z.string().refine(isRedirectAddress), redirectsAtMost).transform((paths): readonly string[] => [
    ...new Set(paths),
  ]),
  feedPath: path.nullable(),
  state: z.enum(pageStates),
  type: z.enum(pageTypes),
  published: moment.nullable(),
  updated: z.union([moment, z.literal('none')]).nullable(),
  firstSaved: moment.nullable(),
  notBefore: moment.nullable(),
  pinned: z.boolean(),
  language: language.nullable(),
  description: z.string().max(1000).nullable(),
  tags: list(z.string().min(1).max(tagMaxChars), tagsAtMost),
  author: z.string().max(200).nullable(),
  socialImage: z.string().min(1).max(2000).nullable(),
  canonical: z.string().refine(isWebAddress).nullable(),
  version: z.union([
    z.enum(['latest', 'approved']),
    z
      .string()
      .max(1000)
      .transform((id): VersionId => id),
  ]),
}

const menuItem = z.object({
  label: z.string().min(1).max(200),
  target: z.union([z.object({ material: materialId }), z.object({ url: z.string().refine(isMenuAddress) })]),
})

export const publishingFields = {
  outgoing: z.enum(outgoingRules),
  home: z.union([z.literal('listing'), materialId]),
  language,
  timeZone: z.string().refine(isZoneForm),
  baseUrl: z
    .string()
    .max(2000)
    .refine((text) => isWebAddress(text) && /^[^?#\s]+\/$/.test(text))
    .nullable(),
  description: z.string().max(1000).nullable(),
  theme: z.string().refine(isThemeName),
  themeSettings: z
    .record(z.string().regex(/^[A-Za-z][\w-]{0,63}$/), z.union([z.string().max(10_000), z.number(), z.boolean()]))
    .transform((settings): ThemeSettings => settings),
  menu: list(menuItem, 100),
  footer: z.string().max(2000).nullable(),
  postsPerPage: z.int().min(1).max(1000),
  headSnippet: z.string().max(100_000),
  bodySnippet: z.string().max(100_000),
}
