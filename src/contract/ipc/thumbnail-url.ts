import { percentDecoded, encodeSegment } from '../protocol/public-url.ts'

/** Names one version of one material. */
export interface VersionRef {
  readonly site: string
  readonly materialId: string
  readonly versionId: string
}

/** Pixels of a thumbnail. */
export const thumbnailSize = { width: 320, height: 200 } as const

/** Where the window finds the picture of a version's page. Ids go into the query, since a path would fold `.` and `..`. */
export const thumbnailUrl = ({ site, materialId, versionId }: VersionRef): string =>
  `app://galley/thumbnail?${[site, materialId, versionId].map(encodeSegment).join('&')}`

/** The version of such an address; null for any other. */
export function readThumbnailUrl(url: string): VersionRef | null {
  const [, ...encoded] = /^app:\/\/galley\/thumbnail\?([^&#]+)&([^&#]+)&([^&#]*)$/.exec(url) ?? []
  const [site, materialId, versionId] = encoded.map(percentDecoded)
  return site == null || materialId == null || versionId == null ? null : { site, materialId, versionId }
}
