import { pageAddress, relativeUrl } from '../paths.ts'

/** How the file at `path` writes the others. */
export interface Urls {
  readonly path: string
  /** To a file of the bundle. */
  to(target: string): string
  /** The whole address of a file; null where nobody knows where the bundle will lie. */
  address(target: string): string | null
}

/**
 * Where the address of the bundle is known, a server shows a folder's `index.html`, and links name the folder, as the
 * canonical address does. Otherwise they name the file, so that the bundle opens from a disk.
 */
export function urlsFrom(path: string, baseUrl: string | null, isAtAnyDepth = false): Urls {
  return {
    path,
    to(target) {
      if (baseUrl === null) return relativeUrl(path, target)
      // Shown for addresses at any depth, a page can only use whole ones.
      if (isAtAnyDepth) return pageAddress(baseUrl, target)
      return relativeUrl(path, target).replace(/(^|\/)index\.html$/, '$1') || './'
    },
    address: (target) => (baseUrl === null ? null : pageAddress(baseUrl, target)),
  }
}

const absolute = /^[a-z][a-z0-9+.-]*:/i

/** Whether this is an address by itself, not a path of the bundle. */
export const isAbsoluteUrl = (text: string): boolean => absolute.test(text)
