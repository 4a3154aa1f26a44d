import { ok } from '@galley/wire'

import type { SecretStore } from './store.ts'

/** Secrets in memory only: for the demo, which must not use the keychain. */
export function createMemoryStore(): SecretStore {
  const values = new Map<string, string>()
  return {
    read: (account) => Promise.resolve(ok(values.get(account) ?? null)),
    write: (account, value) => Promise.resolve(ok((values.set(account, value), null))),
    remove: (account) => Promise.resolve(ok((values.delete(account), null))),
  }
}
