import { AsyncEntry } from '@napi-rs/keyring'

import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { SecretStore, StoreProblem } from './store.ts'

const service = 'Galley'

/**
 * The keychain of the operating system. On Linux pinned to the Secret Service: left to itself the binding falls back
 * to a kernel keyring, which a restart of the machine empties without a word.
 */
export function createKeychain(): SecretStore {
  const entry = (account: string) => new AsyncEntry(service, account, { linux: { store: 'secret-service' } })
  return {
    read: (account) => attempt(async () => (await entry(account).getPassword()) ?? null),
    write: (account, value) => attempt(async () => (await entry(account).setPassword(value), null)),
    remove: (account) => attempt(async () => (await entry(account).deletePassword(), null)),
  }
}

async function attempt<Value>(action: () => Promise<Value>): Promise<Result<Value, StoreProblem>> {
  try {
    return ok(await action())
  } catch (error) {
    return fail(/lock|prompt|dismiss|denied|user interaction/i.test(String(error)) ? 'locked' : 'unavailable')
  }
}
