import type { ExportFailure } from '@galley/library/records'
import type { Cause } from '@galley/wire'

/** What readers of the target see after a failed publication. */
export type Aftermath = 'unchanged' | 'put_back' | 'mixed'

/** All reasons why a publication fails. */
export type PublishFailure =
  | (ExportFailure & { readonly state?: string })
  /** Its address was never confirmed on this machine. */
  | { readonly code: 'target_unconfirmed'; readonly target: string }
  /** The target holds something that is not this site's. */
  | { readonly code: 'target_foreign'; readonly reason: Cause }
  /** The plan removes more than half of the pages that the target shows. */
  | { readonly code: 'many_removals'; readonly removed: number; readonly pages: number }
  | { readonly code: 'target_failed'; readonly reason: Cause; readonly state: Aftermath }
  /** The target was updated, but the library, or the bucket of its team, did not take the record of the release. */
  | { readonly code: 'not_recorded'; readonly reason: Cause; readonly state: Aftermath }
  /** A test file cannot be fetched through the public URL. */
  | { readonly code: 'not_public'; readonly reason: Cause }
  /** A file that was read back differs from what was published. */
  | {
      readonly code: 'not_verified'
      readonly path: string
      /** Why it could not be read; null: it was read. */
      readonly reason: Cause | null
      readonly state: Aftermath | `unread_${Aftermath}`
    }
  /** The page that was asked for alone is a draft, or is published later. */
  | { readonly code: 'page_is_draft' | 'page_is_scheduled' }
  | { readonly code: 'library_read_only' }
  | { readonly code: 'unknown_release'; readonly release: string }
  /** The library no longer has all texts and media of the release. */
  | { readonly code: 'release_not_kept'; readonly release: string }
  | { readonly code: 'publish_stopped'; readonly state: Aftermath }

/** How many pages of materials a plan removes, of how many that the target shows. */
export interface Removals {
  readonly removed: number
  readonly pages: number
}

/** Whether more than half of the pages are removed, which a person has to allow. */
export const removesMany = ({ removed, pages }: Removals): boolean => removed * 2 > pages

/** A failure in making a site, told as one of publishing or previewing it: nothing was published. */
export const ofPublishing = <Failed extends PublishFailure>(failure: Failed): Failed =>
  failure.code === 'busy' || !('state' in failure) ? { ...failure, state: 'publishing' } : failure
