import { metadataFact } from '@galley/wire'

/**
 * When the token in a callback's metadata at `key` expires, in milliseconds since 1970; null if unknown: the key is missing,
 * or its value is neither a JWT with `exp` nor a date (ISO 8601, seconds or milliseconds).
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

/** Values of twelve or more digits are milliseconds: as seconds they would be after the year 5000. */
const momentMs = (moment: number): number => (moment >= 1e11 ? moment : moment * 1000)

/** The claims of a JWT. Its signature is not checked, because the rule can only block. */
function jwtClaims(value: string): { readonly exp?: unknown } | null {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(value) ?? []
  if (payload === undefined) return null
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return typeof claims === 'object' ? claims : null
  } catch {
    // Three words separated by dots, but not a JWT.
    return null
  }
}
