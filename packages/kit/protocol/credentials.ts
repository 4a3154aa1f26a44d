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

/** Whether an HTTP header can carry this value: Node refuses line breaks, control characters and all beyond Latin-1. */
export const isHeaderValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

/** The credentials in a session's metadata, or null (contract, Authentication 5). */
export function credentialsOf(user: unknown, password: unknown): Credentials | null {
  if (typeof user !== 'string' || user === '') return null
  return { user, password: typeof password === 'string' && password !== '' ? password : null }
}

/** The metadata keys that carry the credentials; every callback returns them. */
export const credentialKeys = ({ user, password }: Credentials): Readonly<Record<string, string>> => ({
  webhook_auth_user: user,
  ...(password !== null && { webhook_auth_password: password }),
})

/** The texts of a session's metadata that no report may show. */
export function secretsOf(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  const used = credentialsOf(metadata['webhook_auth_user'], metadata['webhook_auth_password'])
  return [used?.password ?? used?.user, metadata['timeLimitedAuthToken']].filter((each) => typeof each === 'string')
}
