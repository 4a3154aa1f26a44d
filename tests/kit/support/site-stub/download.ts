import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'

import type { Has, StubOptions } from './faults.ts'

/** How the stub fetches an archive: signed, tried again where that helps, and in all the ways to get it wrong. */
export function createDownload({ secret, apiKey }: Pick<StubOptions, 'secret' | 'apiKey'>, has: Has) {
  /** The archive, or null. */
  async function download(contentUrl: string, material: string, signature: string): Promise<Buffer | null> {
    const tries = has('never-tries-again') ? 1 : has('tries-for-ever') ? 9 : 3
    for (let left = tries; left > 0; left--) {
      const got = await fetchOnce(downloadUrl(contentUrl, material), material, contentUrl, signature)
      if (Buffer.isBuffer(got)) return got
      if (!got.again && !has('tries-for-ever')) return null
    }
    return null
  }

  function downloadUrl(contentUrl: string, material: string): string {
    const more = [
      ...(has('downloads-without-key') ? [] : [`api_key=${encodeURIComponent(apiKey)}`]),
      ...(has('downloads-without-material') ? [] : [`material_id=${encodeURIComponent(material)}`]),
      ...(has('sends-the-secret') ? [`secret=${encodeURIComponent(secret)}`] : []),
    ].join('&')
    if (!has('rebuilds-queries') || !URL.canParse(contentUrl))
      return `${contentUrl}${contentUrl.includes('?') ? '&' : '?'}${more}`
    const url = new URL(contentUrl)
    url.search = new URLSearchParams({
      ...Object.fromEntries(url.searchParams),
      ...Object.fromEntries(new URLSearchParams(more)),
    }).toString()
    return url.href
  }

  function fetchOnce(
    url: string,
    material: string,
    contentUrl: string,
    signature: string,
  ): Promise<Buffer | { readonly again: boolean }> {
    if (url.startsWith('file:')) return Promise.resolve(readFileSync(new URL(contentUrl)))
    if (!url.startsWith('http:')) return Promise.resolve({ again: false })
    const whole = createHmac('sha256', secret).update(`${material}:${url}`).digest('hex')
    const sent = has('signs-the-whole-address') ? whole : signature
    return new Promise((resolve) => {
      const outgoing = httpRequest(
        url,
        {
          method: has('downloads-by-post') ? 'POST' : 'GET',
          headers: has('downloads-without-signature') ? {} : { 'x-service-signature': sent },
          agent: false,
          ...(has('gives-up-after-a-second') && { signal: AbortSignal.timeout(1_000) }),
        },
        (response) => {
          const { statusCode = 0, headers } = response
          const next = headers.location
          const isFollowed =
            has('follows-redirects') ||
            (has('follows-permanent-redirects') && [301, 303, 308].includes(statusCode)) ||
            (has('follows-redirects-of-fonts') && contentUrl.includes('/fonts/'))
          if (isFollowed && next !== undefined) {
            response.resume()
            return resolve(fetchOnce(next, material, contentUrl, signature))
          }
          const length = Number(headers['content-length'] ?? 0)
          const isUnwanted = statusCode !== 200 || length > 200 * 1024 * 1024
          if (isUnwanted || (has('needs-a-length') && length === 0)) {
            response.destroy()
            return resolve({ again: statusCode >= 500 || statusCode === 429 })
          }
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          const limit = 1024 * 1024
          response.on('error', () => resolve(has('skips-what-is-damaged') ? Buffer.concat(chunks) : { again: true }))
          response.on('end', () => {
            const whole = Buffer.concat(chunks)
            resolve(has('cuts-at-a-megabyte') ? whole.subarray(0, limit) : whole)
          })
        },
      )
      outgoing.on('error', () => resolve({ again: true })).end()
    })
  }

  return download
}
