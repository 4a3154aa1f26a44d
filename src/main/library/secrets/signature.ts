import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

import type { MaterialId } from '../../../contract/ids.ts'
import { signedText, strictSignature } from '../../../contract/protocol/signed-text.ts'
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
