import { isStorageFault, storageCause, textAt, textFile } from '@galley/platform'
import type { OutgoingFile, Store } from '@galley/platform'

/** The file that names the library which publishes below a prefix. */
const claimName = 'galley-library.json'
/** What it says once a second library publishes there. */
const shared = '{"library":"several"}\n'

type ClaimStore = Pick<Store, 'get' | 'put'> & {
  readonly address: string
  create(file: OutgoingFile, signal: AbortSignal): Promise<boolean>
}

/** The answer of a store that may not be asked. */
function unlessDenied(error: unknown): 'denied' {
  if (isStorageFault(error) && ['bucket_denied', 'not_writable', 'disk_read_only'].includes(storageCause(error).code))
    return 'denied'
  throw error
}

/**
 * Whether this library publishes alone below a prefix of a store. Where another library publishes too, it may have found a
 * file that a failed save of this one has sent, so nothing is deleted there. Copies of one library, as members of a team are,
 * count as one.
 */
export function createClaims(library: string) {
  const own = `{"library":"${library}"}\n`
  const claimed = new Set<string>()

  async function claimOnce(store: ClaimStore, path: string, signal: AbortSignal): Promise<void> {
    const found = await textAt(store, path)
    if (found === null && (await store.create(textFile(path, own), signal))) return
    const text = found ?? (await textAt(store, path))
    if (text !== null && text !== own && text !== shared) await store.put(textFile(path, shared), signal)
  }

  return {
    /**
     * Says in a store that this library publishes below a prefix, which ends with a slash or is empty. To be called before any
     * file is looked for there. Where this file may not be written, nothing changes. Throws storage faults.
     */
    async claim(store: ClaimStore, prefix: string, signal: AbortSignal): Promise<void> {
      const address = `${store.address}/${prefix}`
      if (claimed.has(address)) return
      await claimOnce(store, `${prefix}${claimName}`, signal).catch(unlessDenied)
      claimed.add(address)
    },

    /** False also if the store does not answer. */
    async isAlone(store: ClaimStore, prefix: string): Promise<boolean> {
      const text = await textAt(store, `${prefix}${claimName}`)
        .catch(unlessDenied)
        .catch(() => undefined)
      return text === null || text === own || text === 'denied'
    },
  }
}
