/** Credentials of a protected callback URL; without a password, the user is a bearer token. */
export interface Credentials {
  readonly user: string
  readonly password: string | null
}

/** The header the service sends for these credentials (contract, Authentication 5). */
export function authorizationHeader({ user, password }: Credentials): string {
  if (password !== null) return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return user.startsWith('Bearer ') ? user : `Bearer ${user}`
}

/** The metadata keys that carry the credentials; every callback returns them. */
export const credentialKeys = ({ user, password }: Credentials): Readonly<Record<string, string>> => ({
  webhook_auth_user: user,
  ...(password !== null && { webhook_auth_password: password }),
})
