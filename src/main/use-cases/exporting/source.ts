import type { Readable } from 'node:stream'

import type { BundleFonts, BundlePage } from '../../../contract/domain/bundle/layout.ts'
import type { SitePublishing } from '../../../contract/domain/site-model.ts'
import type { MaterialId, Sha256, SiteId } from '../../../contract/ids.ts'
import type { MediaFile } from '../../../contract/domain/version.ts'

/** What an export needs of a library: the chosen versions of one site, and bytes by hash. */
export interface BundleSource {
  readonly site: {
    readonly id: SiteId
    readonly name: string
    readonly publishing: SitePublishing
    /** Public addresses before `/media/` and `/fonts/`, without a trailing slash: the present one and past ones. */
    readonly publicBases: readonly string[]
    /** Materials that are not in the bundle: links to them are told apart from links to none. */
    readonly withheld: readonly MaterialId[]
  }
  /** One per material, in the order in which the materials first came: it decides who keeps a contested slug. */
  readonly pages: readonly BundlePage[]
  readonly fonts: BundleFonts | null
  /** Where the library keeps what was worked out of pages, see `PageCache`; undefined: nowhere. */
  readonly cacheFolder?: string
  /**
   * The stored file of this site that is or was public at this URL, of whichever version; null when there is none.
   * Pages may refer to files that came with an earlier save, and a bundle has to bring those too.
   */
  mediaAt(url: string): MediaFile | null | Promise<MediaFile | null>
  openBlob(blob: Sha256): Readable
}
