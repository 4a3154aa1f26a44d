import type { JsonObject } from '../json/json-value.ts'
import { isNonEmptyString } from '../json/json-value.ts'

/**
 * The `Authorization` of outgoing callbacks, from the session's metadata; null for none (contract, Authentication 5).
 */
export function authorizationOf(metadata: JsonObject): string | null {
  const { webhook_auth_user: user, webhook_auth_password: password } = metadata
  if (!isNonEmptyString(user)) return null
  if (isNonEmptyString(password)) return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`
  return user.startsWith('Bearer ') ? user : `Bearer ${user}`
}
