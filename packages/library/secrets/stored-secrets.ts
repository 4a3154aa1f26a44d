import { randomBytes, randomUUID } from 'node:crypto'
import type { CredentialsState, Result, SecretsState, SiteId } from '@galley/wire'
import { fail, ok, parsedJson } from '@galley/wire'

import { lostMark } from '../db/site/secret-marks.ts'
import type { Site } from '../records/site.ts'
import type { BucketKeys, CallbackCredentials, SiteSecrets } from './site-secrets.ts'
import type { SecretStore, StoreProblem } from './store.ts'

/** How long to cache a secret: long enough for a series of saves, short enough to react to a locked keychain. */
const cacheMs = 60_000

/** The library's marks of stored secrets; never the secrets themselves. */
export interface Marks {
  marks(site: SiteId): {
    readonly secret: string | null
    readonly callbackAuth: string | null
    readonly bucketKeys: string | null
  }
  markSecret(site: SiteId, mark: string | null): void
  markCallbackAuth(site: SiteId, mark: string | null): void
  markBucketKeys(site: SiteId, mark: string | null): void
  targetMark(site: SiteId, target: string): string | null
  markTargetKey(site: SiteId, target: string, mark: string | null): void
  targetsOf(site: SiteId): readonly string[]
}

type Kind = 'secret' | 'callback-auth' | 'bucket-keys' | `target/${string}`

interface Entry {
  readonly mark: string
  readonly value: string
}

/** Values with marks in a SecretStore. Recently read ones are cached. */
function markedEntries(store: SecretStore, nowMs: () => number) {
  const remembered = new Map<string, { readonly entry: Entry; readonly atMs: number }>()

  function remember(account: string, entry: Entry): void {
    const known = { entry, atMs: nowMs() }
    remembered.set(account, known)
    setTimeout(() => remembered.get(account) === known && remembered.delete(account), cacheMs).unref()
  }

  /** `keep` restores a mark that this computer had lost. */
  async function read(
    account: string,
    mark: string | null,
    keep: (mark: string) => void,
  ): Promise<Result<string, SecretsState>> {
    if (mark === null) return fail('missing')
    const known = remembered.get(account)
    if (known && known.entry.mark === mark && nowMs() - known.atMs < cacheMs) return ok(known.entry.value)
    const found = await store.read(account)
    if (!found.ok) return found
    const entry = found.value === null ? null : parseEntry(found.value)
    if (mark === lostMark && entry === null) return fail('missing')
    if (mark === lostMark && entry !== null) keep(entry.mark)
    else if (entry?.mark !== mark) return fail('changed')
    remember(account, entry)
    return ok(entry.value)
  }

  /** Stores a value under a new mark, which `keep` records. */
  async function put(
    account: string,
    value: string,
    keep: (mark: string) => void,
  ): Promise<Result<null, StoreProblem>> {
    const mark = randomUUID()
    const written = await store.write(account, JSON.stringify({ mark, value } satisfies Entry))
    if (written.ok) keep(mark)
    return written
  }

  async function remove(account: string): Promise<Result<null, StoreProblem>> {
    const removed = await store.remove(account)
    if (removed.ok) remembered.delete(account)
    return removed
  }

  return { read, put, remove }
}

/**
 * The secrets of a library's sites in a SecretStore. Each value has a random mark that the index also stores, which
 * distinguishes a store that lost its content from one that never had it.
 */
export function createStoredSecrets(
  store: SecretStore,
  marks: Marks,
  libraryId: string,
  nowMs: () => number,
): SiteSecrets {
  const entries = markedEntries(store, nowMs)
  const { read, put, remove } = entries
  const accountOf = (site: SiteId, what: Kind): string => `${what}:${site}@${libraryId}`

  const secret = (site: SiteId) =>
    read(accountOf(site, 'secret'), marks.marks(site).secret, (mark) => marks.markSecret(site, mark))

  async function callbackAuth(
    site: Pick<Site, 'id' | 'callbackAuth'>,
  ): Promise<Result<CallbackCredentials | null, CredentialsState>> {
    if (site.callbackAuth === 'none') return ok(null)
    const found = await read(accountOf(site.id, 'callback-auth'), marks.marks(site.id).callbackAuth, (mark) =>
      marks.markCallbackAuth(site.id, mark),
    )
    if (found.ok) return ok(JSON.parse(found.value) as CallbackCredentials)
    return found.failure === 'missing' || found.failure === 'changed' ? fail('credentials_missing') : found
  }

  async function bucketKeys(site: SiteId): Promise<Result<BucketKeys, SecretsState>> {
    const found = await read(accountOf(site, 'bucket-keys'), marks.marks(site).bucketKeys, (mark) =>
      marks.markBucketKeys(site, mark),
    )
    return found.ok ? ok(JSON.parse(found.value) as BucketKeys) : found
  }

  const targets = targetKeys(entries, marks, accountOf)

  return {
    secret,
    callbackAuth,
    bucketKeys,
    targetKey: targets.read,
    webhookSecret: (site) => targets.read(site, webhookEntry),
    async presence(site) {
      const found = await secret(site)
      return found.ok ? 'stored' : found.failure
    },
    writer: {
      setSecret: (site, value) => put(accountOf(site, 'secret'), value, (mark) => marks.markSecret(site, mark)),
      async provideCallbackAuth(site, kind) {
        const account = accountOf(site, 'callback-auth')
        if (kind === 'none') {
          if (marks.marks(site).callbackAuth === null) return ok(null)
          const removed = await remove(account)
          if (removed.ok) marks.markCallbackAuth(site, null)
          return removed
        }
        const found = await callbackAuth({ id: site, callbackAuth: kind })
        const fits = found.ok && (found.value?.password === null) === (kind === 'bearer')
        if (fits) return ok(null)
        // Writes only to a store that has responded: locked and unavailable do not count.
        if (!found.ok && (found.failure === 'locked' || found.failure === 'unavailable')) return fail(found.failure)
        return put(account, JSON.stringify(newCredentials(kind)), (mark) => marks.markCallbackAuth(site, mark))
      },
      async setBucketKeys(site, keys) {
        const account = accountOf(site, 'bucket-keys')
        if (keys === null) {
          if (marks.marks(site).bucketKeys === null) return ok(null)
          const removed = await remove(account)
          if (removed.ok) marks.markBucketKeys(site, null)
          return removed
        }
        return put(account, JSON.stringify(keys), (mark) => marks.markBucketKeys(site, mark))
      },
      setTargetKey: targets.set,
      setWebhookSecret: (site, secret) => targets.set(site, webhookEntry, secret),
      async remove(site, which) {
        const ofService = ['secret', 'callback-auth'] as const
        for (const what of which === 'of_service' ? ofService : ([...ofService, 'bucket-keys'] as const)) {
          const removed = await remove(accountOf(site, what))
          if (!removed.ok) return removed
        }
        return which === 'all' ? targets.removeAll(site) : ok(null)
      },
    },
  }
}

/** The webhook of a site has an entry among those of its targets. No target can have this name. */
const webhookEntry = '@webhook'

/** The credentials of publishing targets. */
function targetKeys(
  { read, put, remove }: ReturnType<typeof markedEntries>,
  marks: Marks,
  accountOf: (site: SiteId, what: Kind) => string,
) {
  const keep = (site: SiteId, target: string) => (mark: string) => marks.markTargetKey(site, target, mark)

  async function set(site: SiteId, target: string, key: string | null): Promise<Result<null, StoreProblem>> {
    const account = accountOf(site, `target/${target}`)
    if (key !== null) return put(account, key, keep(site, target))
    if (marks.targetMark(site, target) === null) return ok(null)
    const removed = await remove(account)
    if (removed.ok) marks.markTargetKey(site, target, null)
    return removed
  }

  return {
    read: (site: SiteId, target: string) =>
      read(accountOf(site, `target/${target}`), marks.targetMark(site, target), keep(site, target)),
    set,
    async removeAll(site: SiteId): Promise<Result<null, StoreProblem>> {
      for (const target of marks.targetsOf(site)) {
        const removed = await set(site, target, null)
        if (!removed.ok) return removed
      }
      return ok(null)
    },
  }
}

function newCredentials(kind: 'basic' | 'bearer'): CallbackCredentials {
  const token = randomBytes(32).toString('base64url')
  return kind === 'basic' ? { user: 'galley', password: token } : { user: token, password: null }
}

/** Null if another program wrote this entry. */
function parseEntry(text: string): Entry | null {
  const { mark, value } = Object(parsedJson(text)) as Partial<Entry>
  return typeof mark === 'string' && typeof value === 'string' ? { mark, value } : null
}
