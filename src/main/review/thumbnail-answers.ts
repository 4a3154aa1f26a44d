import { readThumbnailUrl, thumbnailSize } from '../../ipc/thumbnail-url.ts'
import type { Thumbnails } from './thumbnails.ts'

/** Grey lines as a placeholder for a page, for both themes. */
const placeholder = `<svg xmlns="http://www.w3.org/2000/svg" width="${thumbnailSize.width}" height="${thumbnailSize.height}" viewBox="0 0 320 200" fill="#808894" fill-opacity=".28"><rect x="40" y="40" width="150" height="14" rx="4"/><rect x="40" y="72" width="240" height="8" rx="4"/><rect x="40" y="92" width="220" height="8" rx="4"/><rect x="40" y="112" width="232" height="8" rx="4"/></svg>`

const headersOf = (type: string, caching: string): Record<string, string> => ({
  'content-type': type,
  'cache-control': caching,
  'x-content-type-options': 'nosniff',
})

/** A new font set changes the thumbnails of all pages of its site. */
const pictureCaching = 'private, max-age=60'

/** Answers requests for thumbnails; null for any other URL. Responds with a placeholder if there is no picture. */
export const thumbnailAnswers =
  (thumbnails: Pick<Thumbnails, 'read'>) =>
  (url: string, method: string): Promise<Response> | null => {
    const ref = readThumbnailUrl(url)
    if (ref === null || method !== 'GET') return null
    return thumbnails
      .read(ref)
      .then((picture) =>
        picture === null
          ? new Response(placeholder, { headers: headersOf('image/svg+xml', 'no-store') })
          : new Response(new Uint8Array(picture), { headers: headersOf('image/png', pictureCaching) }),
      )
  }
