import type { MaterialId, SiteId, SnapshotId, VersionId } from '@galley/wire'
import { isSha256, nameLimitChars, parsedJson, siteIdForm } from '@galley/wire'
import { z } from 'zod'

import { fieldMax } from './field-max.ts'

// The ranges of values in the log. Sizes of texts are in UTF-16 units.

/** Metadata, payloads and headers. A body may have 4 MiB, and its JSON text is escaped again. */
const longTextMaxChars = 16 * 1024 ** 2
/** 4 TiB: a sum of a million of them is still an exact integer in SQLite. */
const countMax = 2 ** 42

/** Names, notes and everything else that lists show. */
export const text = z.string().max(fieldMax.text)
export const title = z.string().max(fieldMax.title)
/** A tag of a material or a version. */
export const tag = z.string().max(200)
export const longText = z.string().max(longTextMaxChars)
/** An identifier. Half of a surrogate pair would be stored as U+FFFD, which may be part of another one. */
export const idText = z
  .string()
  .max(nameLimitChars)
  .refine((id) => id.isWellFormed())
export const siteId = z
  .string()
  .regex(siteIdForm)
  .transform((id): SiteId => id)
export const materialId = idText.transform((id): MaterialId => id)
export const versionId = idText.transform((id): VersionId => id)
export const snapshotId = idText.transform((id): SnapshotId => id)
/** The text of a JSON object. */
export const jsonObject = longText.refine((json) => {
  const value = parsedJson(json)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
})
export const count = z.int().min(0).max(countMax)
export const sha256 = z.string().refine(isSha256)
/** Not `readonly`: zod would freeze the window's input before validating it, which fails for typed arrays. */
const asReadonly = <Item>(items: Item[]): readonly Item[] => items
/** The limit of a list is that of an entry, unless lists show all of it. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).transform(asReadonly<z.output<Item>>)
export const shortList = <Item extends z.ZodType>(item: Item, max: number) =>
  z
    .array(item)
    .max(max)
    .transform(asReadonly<z.output<Item>>)

/** A day that exists, in the years 0 to 9999, in the format of `toISOString`. */
export const moment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .refine((at) => {
    const ms = Date.parse(at)
    return !Number.isNaN(ms) && new Date(ms).toISOString() === at
  })
