import { LibraryReadOnlyError } from '@galley/library'
import type { ExportFailure } from '@galley/library/records'
import { describeExportFailure } from '@galley/library/records'
import type { Cause } from '@galley/wire'
import { causeSentence } from '@galley/wire'

/** What readers of the target see after a failed publication. */
export type Aftermath = 'unchanged' | 'put_back' | 'mixed'

/** All reasons why a publication fails. */
export type PublishFailure =
  | ExportFailure
  /** Its address was never confirmed on this machine. */
  | { readonly kind: 'target_unconfirmed'; readonly target: string }
  /** The target holds something that is not this site's. */
  | { readonly kind: 'target_foreign'; readonly reason: Cause }
  /** The plan removes more than half of the pages that the target shows. */
  | { readonly kind: 'many_removals'; readonly removed: number; readonly pages: number }
  | { readonly kind: 'target_failed'; readonly reason: Cause; readonly aftermath: Aftermath }
  /** The target was updated, but the library, or the bucket of its team, did not take the record of the release. */
  | { readonly kind: 'not_recorded'; readonly reason: Cause; readonly aftermath: Aftermath }
  /** A test file cannot be fetched through the public URL. */
  | { readonly kind: 'not_public'; readonly reason: Cause }
  /** A file that was read back differs from what was published. */
  | {
      readonly kind: 'not_verified'
      readonly path: string
      readonly reason: Cause | null
      readonly aftermath: Aftermath
    }
  | { readonly kind: 'library_read_only' }
  | { readonly kind: 'unknown_release'; readonly release: string }
  /** The library no longer has all texts and media of the release. */
  | { readonly kind: 'release_not_kept'; readonly release: string }
  | { readonly kind: 'publish_stopped'; readonly aftermath: Aftermath }

const afterwards: Record<Aftermath, string> = {
  unchanged: 'Readers see the previous release.',
  put_back: 'The previous release was restored.',
  mixed: 'Some pages may already be new. Publish again to finish, or roll back.',
}

/** How many pages of materials a plan removes, of how many that the target shows. */
export interface Removals {
  readonly removed: number
  readonly pages: number
}

/** Whether more than half of the pages are removed, which a person has to allow. */
export const removesMany = ({ removed, pages }: Removals): boolean => removed * 2 > pages

/** What happened, what it means for the published site, and what to do next. */
export function describePublishFailure(failure: PublishFailure): string {
  switch (failure.kind) {
    case 'busy':
      return 'Another process is publishing to this target. Nothing was published. Try again when it has finished.'
    case 'target_unconfirmed':
      return `The address of the target ${failure.target} is not confirmed on this computer. Nothing was published. Run galley target add with its address to confirm it.`
    case 'target_foreign':
      return `The site was not published: ${causeSentence(failure.reason)}. Nothing was changed there. To replace what is there, publish with --take-over.`
    case 'many_removals':
      return `This would remove ${failure.removed} of the ${failure.pages} pages that the target shows. Nothing was published. To remove them, publish with --allow-removals.`
    case 'target_failed':
      return `The site was not published: ${causeSentence(failure.reason)}. ${afterwards[failure.aftermath]}`
    case 'not_recorded':
      return `The release could not be recorded in the library: ${causeSentence(failure.reason)}. ${afterwards[failure.aftermath]} Fix the problem, then publish again.`
    case 'not_public':
      return `A test file cannot be fetched through the public URL: ${causeSentence(failure.reason)}. Nothing was published. Check the public URL of the target.`
    case 'not_verified':
      return failure.reason === null
        ? `${failure.path} was read back with different content. ${afterwards[failure.aftermath]}`
        : `${failure.path} could not be read back: ${causeSentence(failure.reason)}. ${afterwards[failure.aftermath]}`
    case 'library_read_only':
      return new LibraryReadOnlyError().message
    case 'unknown_release':
      return `There is no release ${failure.release} of this target. Nothing was published. galley releases lists them.`
    case 'release_not_kept':
      return `Release ${failure.release} cannot be published again, because some of its files are not on this computer. Nothing was published. In a team, roll back on the computer that published it.`
    case 'publish_stopped':
      return `Publishing was stopped. ${afterwards[failure.aftermath]}`
    case 'broken_links':
    case 'damaged_blob':
    case 'foreign_file':
    case 'invalid_base_url':
    case 'invalid_theme':
    case 'io_failed':
    case 'not_ours':
    case 'unreliable_target':
    case 'unsafe_target':
      return describeExportFailure(failure)
  }
}
