import type { Cause } from '@galley/wire'
import { assertNever, causeSentence, isCauseCode } from '@galley/wire'
import { z } from 'zod'

import { text } from './logged-values.ts'

/** How deep a cause has other causes behind it: a hostile log could nest them without end. */
const causesMax = 4
const isFact = (value: unknown): boolean =>
  value === undefined || typeof value === 'number' || text.safeParse(value).success

function isCause(value: unknown): boolean {
  let at: unknown = value
  for (let depth = 0; depth < causesMax; depth += 1) {
    if (typeof at !== 'object' || at === null) return false
    const { code, name, why } = at as { readonly [Key in keyof Cause]: unknown }
    if (typeof code !== 'string' || !isCauseCode(code) || !isFact(name)) return false
    if (isFact(why)) return true
    at = why
  }
  return false
}

/** Why a reference of a bundle leads to nothing. Paths are inside the bundle, with `/`. */
const brokenReason = z.discriminatedUnion('code', [
  z.object({ code: z.literal('no_file'), path: text }),
  /** Files of its type could run, so it is in the bundle as something to download. */
  z.object({ code: z.literal('kept_as_download'), path: text }),
  /** The page exists, but it has no such anchor. */
  z.object({ code: z.literal('no_anchor'), path: text, anchor: text }),
  z.object({ code: z.literal('empty') }),
  z.object({ code: z.literal('not_an_address') }),
  z.object({ code: z.literal('leaves_bundle') }),
  /** It is relative to the root of the web server, where the site has no such page. */
  z.object({ code: z.literal('root_relative') }),
  z.object({ code: z.literal('one_machine') }),
  /** Readers outside that network cannot reach it. */
  z.object({ code: z.literal('private_address'), host: text }),
  /** Browsers refuse to load it in an https page. */
  z.object({ code: z.literal('mixed_content') }),
  /** It points at a public address of the library. */
  z.object({ code: z.literal('not_in_bundle') }),
  z.object({ code: z.literal('unknown_material'), material: text }),
  z.object({ code: z.literal('not_published'), material: text }),
  /** It is loaded as a file, or in a frame with a base of its own. */
  z.object({ code: z.literal('page_not_file'), material: text }),
  z.object({ code: z.literal('named_in_script') }),
  /** A placeholder for a file that no save contained. */
  z.object({ code: z.literal('never_saved') }),
  z.object({ code: z.literal('outside_status'), status: z.int().min(0).max(999) }),
  z.object({ code: z.literal('outside_redirects') }),
  z.object({ code: z.literal('outside_unreachable'), why: z.custom<Cause>(isCause) }),
])
export type BrokenReason = Readonly<z.output<typeof brokenReason>>

/** The code in JSON output. */
export const brokenCode = (reason: BrokenReason): string =>
  reason.code === 'outside_status' ? `outside_${reason.status}` : reason.code

/** The reason and the fix, printed after the reference on the command line. The window has its own texts. */
export function describeBrokenReason(reason: BrokenReason): string {
  switch (reason.code) {
    case 'no_file':
      return `there is no ${reason.path} in the export; correct the link`
    case 'kept_as_download':
      return `is exported as the download ${reason.path}, because files of its type could run code; use a file of another type`
    case 'no_anchor':
      return `${reason.path} has no element with the id ${reason.anchor}; correct the part after #, or add the id`
    case 'empty':
      return 'gives no file; choose one, or remove the element'
    case 'not_an_address':
      return 'is not an address; correct it'
    case 'leaves_bundle':
      return 'points outside the export; link to a page of the site, or enter the full URL'
    case 'root_relative':
      return 'is relative to the root of the web server, and the site has no such page there; link to the material, or enter the full URL'
    case 'one_machine':
      return 'links to a file on one computer; add the file to the page'
    case 'private_address':
      return `only works inside one network or on one computer (${reason.host}); enter an address that readers can reach`
    case 'mixed_content':
      return 'is loaded over http, which browsers block on an https page; use https, or add the file to the page'
    case 'not_in_bundle':
      return 'links to a file of this library that is not in the export; add the file to this page'
    case 'unknown_material':
      return `the site has no material ${reason.material}; correct the id`
    case 'not_published':
      return `the material ${reason.material} is not in the export; publish it, or remove the link`
    case 'page_not_file':
      return `the material ${reason.material} is a page, which cannot be used here; use a file of this page`
    case 'named_in_script':
      return 'a script uses a file of this library, and Galley does not rewrite scripts; use the file in the page itself'
    case 'never_saved':
      return 'the file was never part of a save; add it in the editor again, and save'
    case 'outside_status':
      return `the other site returned ${reason.status}; correct or remove the link`
    case 'outside_redirects':
      return 'the other site redirects too many times; correct or remove the link'
    case 'outside_unreachable':
      return `the other site cannot be reached: ${causeSentence(reason.why)}; correct or remove the link`
    default:
      return assertNever(reason)
  }
}

/** The position of a reference in a file. Lines and columns count from 1. */
const sourcePosition = z.object({
  line: z.int().min(1),
  column: z.int().min(1),
  /** For example `a[href]`; null in a script or style sheet. */
  element: text.nullable(),
})
export type SourcePosition = Readonly<z.output<typeof sourcePosition>>

/** A broken reference in a bundle. */
export const brokenLink = z.object({
  /** The file that holds the reference. */
  page: text,
  /** The reference as written, decoded. */
  ref: text,
  reason: brokenReason,
  /** Absent if unknown. */
  place: sourcePosition.exactOptional(),
})
export type BrokenLink = Readonly<z.output<typeof brokenLink>>

/** The result of a link check. */
export interface LinkReport {
  /** References that should point into the bundle. */
  readonly checked: number
  readonly broken: readonly BrokenLink[]
  /** How many more are broken than `broken` names; absent: none. */
  readonly more?: number
}

/** How many references of a report are broken. */
export const countBroken = ({ broken, more = 0 }: LinkReport): number => broken.length + more
