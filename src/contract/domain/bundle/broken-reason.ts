import { assertNever } from '../../result.ts'

/** Why a reference of a bundle leads to nothing. Paths are inside the bundle, with `/`. */
export type BrokenReason =
  | { readonly code: 'no_file'; readonly path: string }
  /** Files of its type could run, so it is in the bundle as something to download. */
  | { readonly code: 'kept_as_download'; readonly path: string }
  | { readonly code: 'not_an_address' }
  | { readonly code: 'leaves_bundle' }
  | { readonly code: 'one_machine' }
  /** It points at a public address of the library. */
  | { readonly code: 'not_in_bundle' }
  | { readonly code: 'named_in_script' }
  /** A placeholder whose file no save brought. */
  | { readonly code: 'never_saved' }

/** The reason as the command line tells it, behind the reference; the window has words of its own. */
export function describeBrokenReason(reason: BrokenReason): string {
  switch (reason.code) {
    case 'no_file':
      return `there is no ${reason.path} in the bundle`
    case 'kept_as_download':
      return `is kept as the download ${reason.path}, since files of its type could run`
    case 'not_an_address':
      return 'is not an address'
    case 'leaves_bundle':
      return 'leads out of the bundle'
    case 'one_machine':
      return 'points at a file of one machine'
    case 'not_in_bundle':
      return 'points at a file of this library that is not in the bundle'
    case 'named_in_script':
      return 'a script names a file of this library'
    case 'never_saved':
      return 'the file was never saved'
    default:
      return assertNever(reason)
  }
}
