/** What a protected callback URL asks for; without a password the user is a bearer token. */
export interface Credentials {
  readonly user: string
  readonly password: string | null
}

/** The header the service sends for them (contract, Authentication 5). */
export function authorizationHeader({ user, password }: Credentials): string {
  if (password !== null) return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return user.startsWith('Bearer ') ? user : `Bearer ${user}`
}

/** The keys with which a site hands them over at session open; they come back in every callback. */
export const credentialKeys = ({ user, password }: Credentials): Readonly<Record<string, string>> => ({
  webhook_auth_user: user,
  ...(password !== null && { webhook_auth_password: password }),
})
