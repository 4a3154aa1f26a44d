import { createHmac, timingSafeEqual } from 'node:crypto'
import { signedText, strictSignature } from '@galley/wire'

const hmac = (secret: string, text: string): Buffer => createHmac('sha256', secret).update(text, 'utf8').digest()

/** `hex(HMAC_SHA256(api_secret, material_id:url))` (contract, Authentication 2). */
export const sign = (secret: string, materialId: string, url: string): string =>
  hmac(secret, signedText(materialId, url)).toString('hex')

/** Verifies a received signature over `material_id:url`, in constant time. */
export function isSigned(secret: string, materialId: string, url: string, header: string | undefined): boolean {
  const signature = strictSignature(header)
  return signature !== null && timingSafeEqual(Buffer.from(signature, 'hex'), hmac(secret, signedText(materialId, url)))
}
