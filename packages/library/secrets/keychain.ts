import { withTimeLimit } from '@galley/platform'
import type { Result } from '@galley/wire'
import { fail, ok } from '@galley/wire'
import { AsyncEntry, findCredentialsAsync } from '@napi-rs/keyring'

import type { SecretStore, StoreProblem } from './store.ts'

const service = 'Galley'

/** A read that takes longer waits for the user to unlock the store. */
const readLimitMs = 5_000
/** Writes have a longer limit: the user is present and may have to type a password. */
const writeLimitMs = 60_000

/**
 * The keychain of the operating system. On Linux, it must be the Secret Service: by default the binding falls back to a
 * kernel keyring, which is silently emptied at a restart.
 */
export function createKeychain(): SecretStore {
  const entry = (account: string) => new AsyncEntry(service, account, { linux: { store: 'secret-service' } })

  /**
   * Fails like the store, but never prompts. The binding cannot cancel a call that waits for a prompt, and the process
   * cannot end before such a call, so a locked Secret Service must be detected before reading a secret.
   */
  async function askWithoutPrompt(): Promise<void> {
    if (process.platform !== 'linux') return
    // Reads a nonexistent entry: this fails within seconds if the service does not respond, unlike the next call.
    await entry('nothing').getPassword()
    await findCredentialsAsync(service)
  }

  async function attempt<Value>(limitMs: number, action: () => Promise<Value>): Promise<Result<Value, StoreProblem>> {
    try {
      const asked = askWithoutPrompt().then(async (): Promise<Result<Value, StoreProblem>> => ok(await action()))
      return await withTimeLimit(limitMs, asked, fail('locked'))
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
 * The binding returns messages without codes. On Linux: the D-Bus error name, and the binding's message for a locked store
 * or a dismissed prompt. On macOS: the system's message. Windows has no such state.
 */
const isLocked = (message: string): boolean =>
  message.includes('org.freedesktop.Secret.Error.IsLocked') ||
  (process.platform === 'linux' && message.startsWith("Couldn't access platform storage")) ||
  (process.platform === 'darwin' && /user interaction is not allowed|user canceled the operation/i.test(message))
