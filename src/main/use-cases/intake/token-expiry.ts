import { metadataFact } from '../../../contract/protocol/metadata.ts'

/**
 * When the token that a callback's metadata holds under `key` runs out, in milliseconds since 1970; null when nobody can
 * tell: no such key, or a value that is neither a JWT with `exp` nor a moment (ISO 8601, seconds or milliseconds).
 */
export function tokenExpiryMs(metadata: string | null, key: string): number | null {
  const value = metadata === null ? null : metadataFact(metadata, key)
  if (value === null) return null
  const claims = jwtClaims(value)
  if (claims !== null) return typeof claims.exp === 'number' ? momentMs(claims.exp) : null
  if (/^\d{9,13}(\.\d+)?$/.test(value)) return momentMs(Number(value))
  const isIso = /^\d{4}-\d\d-\d\dT/.test(value)
  return isIso && !Number.isNaN(Date.parse(value)) ? Date.parse(value) : null
}

/** Twelve digits and more are milliseconds: as seconds they would lie beyond the year 5000. */
const momentMs = (moment: number): number => (moment >= 1e11 ? moment : moment * 1000)

/** What a JWT says; its signature is its issuer's business, and a rule that only refuses needs none. */
function jwtClaims(value: string): { readonly exp?: unknown } | null {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(value) ?? []
  if (payload === undefined) return null
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return typeof claims === 'object' ? claims : null
  } catch {
    // Three words with dots between them, and no JWT.
    return null
  }
}
