import { CausedError, cause, fail, ok } from '@galley/wire'
import type { Result } from '@galley/wire'

import type { SecretSource } from './keys.ts'
import type { BucketKeys } from './site-secrets.ts'
import type { StoreProblem } from './store.ts'

const accountOf = (member: string): string => `team-keys@${member}`

/** The keys of the bucket of a team. Throws CausedError if there are none, or if they cannot be read. */
export async function readTeamKeys(source: SecretSource, member: string): Promise<BucketKeys> {
  if ('environment' in source) {
    const { GALLEY_TEAM_ACCESS_KEY_ID: id, GALLEY_TEAM_SECRET_ACCESS_KEY: secret } = source.environment
    if (id && secret) return { id, secret }
    throw new CausedError(cause('team_keys_missing'))
  }
  const found = await source.read(accountOf(member))
  if (!found.ok) throw new CausedError(cause(`team_keys_${found.failure}`))
  const [id, secret] = found.value?.split('\n') ?? []
  if (!id || !secret) throw new CausedError(cause('team_keys_missing'))
  return { id, secret }
}

/** Keeps the keys of the bucket of a team in the keychain; null forgets them. The environment has them, or takes none. */
export async function keepTeamKeys(
  source: SecretSource,
  member: string,
  keys: BucketKeys | null,
): Promise<Result<null, StoreProblem | 'read_only'>> {
  if ('environment' in source) {
    const { GALLEY_TEAM_ACCESS_KEY_ID: id, GALLEY_TEAM_SECRET_ACCESS_KEY: secret } = source.environment
    return keys === null || (keys.id === id && keys.secret === secret) ? ok(null) : fail('read_only')
  }
  return keys === null
    ? source.remove(accountOf(member))
    : source.write(accountOf(member), `${keys.id}\n${keys.secret}`)
}

/** The keys of team buckets in one store. `hide` receives those that were read or stored, which no log may contain. */
export function createTeamKeys(source: SecretSource, hide?: (values: () => Iterable<string>) => void) {
  const seen = new Set<string>()
  hide?.(() => seen)
  return {
    /** Throws CausedError, like `readTeamKeys`. */
    async read(member: string): Promise<BucketKeys> {
      const keys = await readTeamKeys(source, member)
      seen.add(keys.secret)
      return keys
    },
    keep(member: string, keys: BucketKeys | null): ReturnType<typeof keepTeamKeys> {
      if (keys !== null) seen.add(keys.secret)
      return keepTeamKeys(source, member, keys)
    },
  }
}

export type TeamKeyStore = ReturnType<typeof createTeamKeys>
