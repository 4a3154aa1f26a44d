import type { SiteId } from '@galley/wire'
import type { Database } from 'better-sqlite3'

import { durably } from '../commit/durably.ts'
import { createSettings } from '../commit/settings.ts'

/** Random names of the site's secrets in the keychain; null if none was stored. */
export interface SecretMarks {
  readonly secret: string | null
  readonly callbackAuth: string | null
  /** Stored in the settings, which need no column. */
  readonly bucketKeys: string | null
}

/**
 * Replaces the mark of a stored secret after this computer has lost its marks: a secret in the keychain under the library's
 * random name is accepted.
 */
export const lostMark = 'lost'

/** This computer's marks of its keychain secrets; not part of the library's log. */
export function createSecretMarks(db: Database) {
  const marks = db.prepare<[string], Omit<SecretMarks, 'bucketKeys'>>(
    'SELECT secret, callback_auth AS callbackAuth FROM secret_mark WHERE site = ?',
  )
  const markSecret = db.prepare<[string, string | null]>(
    `INSERT INTO secret_mark (site, secret) VALUES (?, ?)
     ON CONFLICT (site) DO UPDATE SET secret = excluded.secret`,
  )
  const markCallbackAuth = db.prepare<[string, string | null]>(
    `INSERT INTO secret_mark (site, callback_auth) VALUES (?, ?)
     ON CONFLICT (site) DO UPDATE SET callback_auth = excluded.callback_auth`,
  )
  const forget = db.prepare<[string]>('DELETE FROM secret_mark WHERE site = ?')
  const settings = createSettings(db)
  const bucketKeysOf = (site: SiteId): string => `bucket-keys-mark/${site}`
  // Site ids never contain a slash.
  const targetKeyOf = (site: SiteId, target: string): string => `target-key-mark/${site}/${target}`

  const triedOf = (site: SiteId): string => `secret-tried/${site}`
  const isTried = (site: SiteId, proof: string): boolean => settings.get(triedOf(site)) === proof

  return {
    /** Notes whether the service of a site accepts a secret. `proof`: of the secret and the service. */
    noteTried(site: SiteId, proof: string, isAccepted: boolean): void {
      if (isAccepted === isTried(site, proof)) return
      if (isAccepted) settings.put(triedOf(site), proof)
      else settings.forget(triedOf(site))
    },
    isTried,
    marks: (site: SiteId): SecretMarks => ({
      ...(marks.get(site) ?? { secret: null, callbackAuth: null }),
      bucketKeys: settings.get(bucketKeysOf(site)),
    }),
    markBucketKeys(site: SiteId, mark: string | null): void {
      if (mark === null) settings.forget(bucketKeysOf(site))
      else settings.put(bucketKeysOf(site), mark)
    },
    targetMark: (site: SiteId, target: string): string | null => settings.get(targetKeyOf(site, target)),
    markTargetKey(site: SiteId, target: string, mark: string | null): void {
      if (mark === null) settings.forget(targetKeyOf(site, target))
      else settings.put(targetKeyOf(site, target), mark)
    },
    /** The targets of a site that have credentials. */
    targetsOf: (site: SiteId): readonly string[] =>
      settings.startingWith(targetKeyOf(site, '')).map(({ name }) => name.slice(targetKeyOf(site, '').length)),
    markSecret: (site: SiteId, mark: string | null): void => void durably(db, () => markSecret.run(site, mark)),
    markCallbackAuth: (site: SiteId, mark: string | null): void =>
      void durably(db, () => markCallbackAuth.run(site, mark)),
    /** Deletes those of the service. `markBucketKeys` deletes the mark of the bucket keys. */
    forget: (site: SiteId): void => void forget.run(site),
  }
}
