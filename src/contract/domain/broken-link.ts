import type { Cause } from '../cause.ts'
import { causeSentence } from '../cause.ts'
import { assertNever } from '../result.ts'

/** Why a reference of a bundle leads to nothing. Paths are inside the bundle, with `/`. */
export type BrokenReason =
  | { readonly code: 'no_file'; readonly path: string }
  /** Files of its type could run, so it is in the bundle as something to download. */
  | { readonly code: 'kept_as_download'; readonly path: string }
  /** The page exists, but it has no such anchor. */
  | { readonly code: 'no_anchor'; readonly path: string; readonly anchor: string }
  | { readonly code: 'empty' }
  | { readonly code: 'not_an_address' }
  | { readonly code: 'leaves_bundle' }
  /** It is relative to the root of the web server, where the site has no such page. */
  | { readonly code: 'root_relative' }
  | { readonly code: 'one_machine' }
  /** Readers outside that network cannot reach it. */
  | { readonly code: 'private_address'; readonly host: string }
  /** Browsers refuse to load it in an https page. */
  | { readonly code: 'mixed_content' }
  /** It points at a public address of the library. */
  | { readonly code: 'not_in_bundle' }
  | { readonly code: 'unknown_material'; readonly material: string }
  | { readonly code: 'not_published'; readonly material: string }
  /** It is loaded as a file, or in a frame with a base of its own. */
  | { readonly code: 'page_not_file'; readonly material: string }
  | { readonly code: 'named_in_script' }
  /** A placeholder for a file that no save contained. */
  | { readonly code: 'never_saved' }
  | { readonly code: 'outside_status'; readonly status: number }
  | { readonly code: 'outside_redirects' }
  | { readonly code: 'outside_unreachable'; readonly why: Cause }

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
export interface SourcePosition {
  readonly line: number
  readonly column: number
  /** For example `a[href]`; null in a script or style sheet. */
  readonly element: string | null
}

/** A broken reference in a bundle. */
export interface BrokenLink {
  /** The file that holds the reference. */
  readonly page: string
  /** The reference as written, decoded. */
  readonly ref: string
  readonly reason: BrokenReason
  /** Absent if unknown, and in reports of earlier Galley versions. */
  readonly place?: SourcePosition
}
