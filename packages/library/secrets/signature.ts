import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { MaterialId } from '@galley/wire'
import { signedText, strictSignature } from '@galley/wire'

import { signatureHeader } from '../records/site-input.ts'
import type { CallbackCredentials } from './site-secrets.ts'

/** `hex(HMAC_SHA256(api_secret, material_id + ':' + url))` (contract, Authentication 2). */
export const sign = (materialId: MaterialId, url: string, secret: string): string =>
  createHmac('sha256', secret).update(signedText(materialId, url)).digest('hex')

/** Compares in constant time. Headers other than 64 lower-case hex digits are rejected before. */
export function isSigned(materialId: MaterialId, url: string, header: string | undefined, secret: string): boolean {
  const signature = strictSignature(header)
  if (signature === null) return false
  return timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(sign(materialId, url, secret), 'hex'))
}

/** How many headers are tried as signatures, so that a request costs little however many it has. */
const triedAtMost = 20

/** The header, besides the site's own, that holds the signature; null if there is none, or none that a site may use. */
export function otherSignedHeader(
  { materialId, url, secret }: { readonly materialId: MaterialId; readonly url: string; readonly secret: string },
  headers: Readonly<Record<string, string | string[] | undefined>>,
  own: string,
): string | null {
  const tried = Object.entries(headers)
    .filter(
      ([name, value]) => name !== own.toLowerCase() && typeof value === 'string' && strictSignature(value) !== null,
    )
    .slice(0, triedAtMost)
  if (tried.length === 0) return null
  const expected = Buffer.from(sign(materialId, url, secret), 'hex')
  const found = tried.find(([, value]) => timingSafeEqual(Buffer.from(String(value).trim(), 'hex'), expected))
  return found !== undefined && signatureHeader.safeParse(found[0]).success ? found[0] : null
}

/** The Authorization header that the service sends for these credentials (contract, Authentication 5). */
export function authorizationHeader({ user, password }: CallbackCredentials): string {
  if (password !== null) return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return user.startsWith('Bearer ') ? user : `Bearer ${user}`
}

/**
 * Compares hashes, so that the time depends neither on content nor on length. The scheme may be in any case (RFC 9110,
 * section 11.1).
 */
export function isAuthorized(header: string | undefined, credentials: CallbackCredentials): boolean {
  const hash = (text: string) =>
    createHash('sha256')
      .update(text.replace(/^[a-z]+(?= )/i, (scheme) => scheme.toLowerCase()))
      .digest()
  return timingSafeEqual(hash(header ?? ''), hash(authorizationHeader(credentials)))
}
