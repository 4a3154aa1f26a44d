import type { MediaFile, SitePublishing } from '@galley/library/records'
import type { MaterialId, Sha256, SiteId } from '@galley/wire'

import type { BundleFonts, BundlePage } from '../bundle/layout.ts'

/** What an export needs from a library: the selected versions of one site, and file contents by hash. */
export interface BundleSource {
  readonly site: {
    readonly id: SiteId
    readonly name: string
    readonly publishing: SitePublishing
    /** The folders of tags, by comparable name. */
    readonly tagFolders: ReadonlyMap<string, string>
    readonly hasChosenHome: boolean
    /**
     * Public addresses in front of `/media/` and `/fonts/`, without a trailing slash: the current one and past ones.
     */
    readonly publicBases: readonly string[]
    /** Materials that are not in the bundle. Links to them are reported differently from links to unknown pages. */
    readonly withheld: readonly MaterialId[]
  }
  /** One per material, by the time each material was first saved: the first one keeps a contested slug. */
  readonly pages: readonly BundlePage[]
  readonly fonts: BundleFonts | null
  /** Where the library caches values derived from pages, see `PageCache`; undefined: nowhere. */
  readonly cacheFolder?: string
  /**
   * The stored file of this site that is or was public at this URL, in any version; null if there is none. Pages may
   * refer to files of earlier saves, and a bundle must include those too.
   */
  mediaAt(url: string): MediaFile | null | Promise<MediaFile | null>
  /** The bytes of a stored file; reading them fails if it is missing or cannot be read. */
  openBlob(blob: Sha256): AsyncIterable<Buffer>
}
