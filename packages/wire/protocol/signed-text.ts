import type { MaterialId } from '../ids.ts'

/**
 * The signed text of the contract: `material_id:url` (contract, Authentication 2 and 3). The url is `callback_url` for
 * session/open, and the bare `content_url` for callbacks and downloads.
 */
export const signedText = (materialId: MaterialId, url: string): string => `${materialId}:${url}`

/** The header name in the contract. A site can use another one. */
export const defaultSignatureHeader = 'X-Service-Signature'

/**
 * A signature header in canonical form: 64 lower-case hex digits without surrounding blanks; otherwise null. Checked before
 * decoding, because hex decoders silently drop an invalid tail.
 */
export function strictSignature(header: string | undefined): string | null {
  const value = header?.trim() ?? ''
  return /^[0-9a-f]{64}$/.test(value) ? value : null
}
