/**
 * The text under every signature of the contract: `material_id:url` (contract, Authentication 2 and 3).
 * The url is `callback_url` for session/open, the bare `content_url` for callbacks and downloads.
 */
export const signedText = (materialId: string, url: string): string => `${materialId}:${url}`

/** The header name of the contract; a site may be configured with another one. */
export const defaultSignatureHeader = 'X-Service-Signature'

/**
 * A signature header as it may be used: 64 lower-case hex digits, surrounding blanks dropped; otherwise null.
 * Checked before any decoding, because hex decoders drop a bad tail silently.
 */
export function strictSignature(header: string | undefined): string | null {
  const value = header?.trim() ?? ''
  return /^[0-9a-f]{64}$/.test(value) ? value : null
}
