import { AsyncEntry, findCredentialsAsync } from '@napi-rs/keyring'

import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import { within } from '../../platform/timing/within.ts'
import type { SecretStore, StoreProblem } from './store.ts'

const service = 'Galley'

/** A read that has no answer by then waits for somebody to unlock the store. */
const readLimitMs = 5_000
/** Whoever stores a secret is there, and may have to type a password first. */
const writeLimitMs = 60_000

/**
 * The keychain of the operating system. On Linux pinned to the Secret Service: left to itself the binding falls back
 * to a kernel keyring, which a restart of the machine empties without a word.
 */
export function createKeychain(): SecretStore {
  const entry = (account: string) => new AsyncEntry(service, account, { linux: { store: 'secret-service' } })

  /**
   * Fails as the store would, and never asks anybody. The binding cannot give up a call that waits at a prompt, and no
   * process ends before such a call does, so a locked Secret Service has to be known before it is asked for a secret.
   */
  async function askWithoutPrompt(): Promise<void> {
    if (process.platform !== 'linux') return
    // Of an entry that is not there: says within seconds whether anybody answers, which the next call does not.
    await entry('nothing').getPassword()
    await findCredentialsAsync(service)
  }

  async function attempt<Value>(limitMs: number, action: () => Promise<Value>): Promise<Result<Value, StoreProblem>> {
    try {
      const asked = askWithoutPrompt().then(async (): Promise<Result<Value, StoreProblem>> => ok(await action()))
      return await within(limitMs, asked, fail('locked'))
    } catch (error) {
      return fail(isLocked(error instanceof Error ? error.message : String(error)) ? 'locked' : 'unavailable')
    }
  }

  return {
    read: (account) => attempt(readLimitMs, async () => (await entry(account).getPassword()) ?? null),
    write: (account, value) => attempt(writeLimitMs, async () => (await entry(account).setPassword(value), null)),
    remove: (account) => attempt(writeLimitMs, async () => (await entry(account).deletePassword(), null)),
  }
}

/**
 * The binding gives texts and no codes. On Linux they are D-Bus' own name of the state, and the one of the binding for
 * a store that is locked or whose prompt was dismissed; on macOS the system's for the same. Windows knows no such state.
 */
const isLocked = (message: string): boolean =>
  message.includes('org.freedesktop.Secret.Error.IsLocked') ||
  (process.platform === 'linux' && message.startsWith("Couldn't access platform storage")) ||
  (process.platform === 'darwin' && /user interaction is not allowed|user canceled the operation/i.test(message))
