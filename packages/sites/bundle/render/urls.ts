import { pageAddress, relativeUrl } from '@galley/library/records'

/** How the file at `path` refers to other files. */
export interface Urls {
  readonly path: string
  /** To a file of the bundle. */
  to(target: string): string
  /** The complete URL of a file; null if the address of the bundle is unknown. */
  address(target: string): string | null
}

/**
 * If the address of the bundle is known, a server answers a folder with its `index.html`, so links name the folder, as
 * canonical URLs do. Otherwise links name the file, so that the bundle can be opened from a disk.
 */
export function urlsFrom(path: string, baseUrl: string | null, isAtAnyDepth = false): Urls {
  return {
    path,
    to(target) {
      if (baseUrl === null) return relativeUrl(path, target)
      // This page is shown for addresses of any depth, so relative URLs would not work.
      if (isAtAnyDepth) return pageAddress(baseUrl, target)
      return relativeUrl(path, target).replace(/(^|\/)index\.html$/, '$1') || './'
    },
    address: (target) => (baseUrl === null ? null : pageAddress(baseUrl, target)),
  }
}

const absolute = /^[a-z][a-z0-9+.-]*:/i

/** Whether this is a complete URL, not a path of the bundle. */
export const isAbsoluteUrl = (text: string): boolean => absolute.test(text)
