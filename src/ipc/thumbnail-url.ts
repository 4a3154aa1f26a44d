import type { VersionRef } from '@galley/library/records'
import { encodeSegment, percentDecoded } from '@galley/wire'

/** The size of a thumbnail in pixels. */
export const thumbnailSize = { width: 320, height: 200 } as const

/** The URL of a version's thumbnail for the window. Ids are query parameters, because a path would collapse `.` and `..`. */
export const thumbnailUrl = ({ site, materialId, versionId }: VersionRef): string =>
  `app://galley/thumbnail?${[site, materialId, versionId].map(encodeSegment).join('&')}`

/** The version in such a URL; null for any other URL. */
export function readThumbnailUrl(url: string): VersionRef | null {
  const [, ...encoded] = /^app:\/\/galley\/thumbnail\?([^&#]+)&([^&#]+)&([^&#]*)$/.exec(url) ?? []
  const [site, materialId, versionId] = encoded.map(percentDecoded)
  return site == null || materialId == null || versionId == null ? null : { site, materialId, versionId }
}
