import { faultReason, isStorageFault, storageReason, withTimeLimit } from '@galley/platform'

import type { IndexWith } from '../db/library-index.ts'
import type { Ownership } from '../db/owner.ts'
import type { ReceivePorts } from '../save/receive.ts'
import { createReceive } from '../save/receive.ts'
import type { Listener } from './listen.ts'
import { listen } from './listen.ts'
import { createPublicFiles } from './public-files.ts'
import type { ListenerPorts } from './requests.ts'

export interface ServingPorts extends ReceivePorts, Pick<ListenerPorts, 'clientAddress'> {
  readonly index: IndexWith<'callbacks' | 'commit' | 'settings' | 'storeSave'>
  /**
   * Applies the newest entries of the team before an unknown file or site is refused; false if the bucket cannot be
   * reached. Null outside a team library.
   */
  readonly syncForReader: (() => Promise<boolean>) | null
}

/** An address to listen on. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** How long a stop waits for running saves. */
const stopGraceMs = 10_000
/** How long a stop waits for slow readers of responses, whose data is already stored. */
const answersGraceMs = 500

/** Responses up to this size are sent in one piece. */
const inOnePieceBytes = 64 * 1024

/** A run of the listener, from start to stop. */
export interface ListenerRun {
  readonly url: string
  /** Whether the previous run stopped cleanly. */
  readonly wasClean: boolean
  /** Resolves when no save is running. */
  idle(): Promise<void>
  /** Accepts no more requests, and waits for running saves. */
  drain(): Promise<void>
  /** Records whether the stop was clean, and releases the ownership. */
  release(isClean: boolean): void
}

/** Serves a library that this process owns. Releases the ownership if the start fails, and at the end of the run. */
export async function serveLibrary(
  ports: ServingPorts,
  ownership: Ownership,
  address: ListenAddress,
): Promise<ListenerRun> {
  const { index, vault, log } = ports
  let listener: Listener | null = null
  try {
    index.callbacks.closeInterrupted()
    await vault.sweepStaging()
    const wasClean = index.settings.get('clean') !== 'no'
    const receiving = createReceive(ports)
    listener = await listen(
      {
        findSite: index.sites.find,
        syncTeam: ports.syncForReader,
        knownHosts: createKnownHosts(index),
        receive: receiving.receive,
        refuseDelivery: receiving.refuseDelivery,
        files: createPublicFiles({ index, vault, log, syncTeam: ports.syncForReader }),
        openBlob(blob) {
          const found = index.blobs.find(blob)
          if (!found) throw new Error('An answer names a blob that is not there')
          const { sizeBytes } = found
          if (sizeBytes <= inOnePieceBytes && !vault.isRemote(found.file)) return vault.readNow(found)
          const stream = vault.read(found)
          stream.once('error', (error) => log(`the response to a stored save was cut off: ${faultReason(error)}`))
          return { sizeBytes, stream }
        },
        clientAddress: ports.clientAddress,
        log,
      },
      address.host,
      address.port,
    )
    const { url, close } = listener
    // From here on, a crash could interrupt a save.
    index.settings.put('clean', 'no')
    ownership.announce(url)
    return {
      url,
      wasClean,
      idle: receiving.idle,
      async drain() {
        const closed = close()
        await receiving.stop(stopGraceMs)
        await withTimeLimit(answersGraceMs, closed, undefined)
      },
      release(isClean) {
        try {
          index.settings.put('clean', isClean ? 'yes' : 'no')
          ownership.announce(null)
        } catch (error) {
          if (!isStorageFault(error)) throw error
          log(`the end of the listener could not be recorded: ${storageReason(error)}`)
        } finally {
          ownership.release()
        }
      },
    }
  } catch (error) {
    void listener?.close()
    ownership.release()
    throw error
  }
}

/** The host names for a library: those in the callback and public URLs of its sites. Read again when the log has grown. */
function createKnownHosts({ commit, sites }: ServingPorts['index']): ListenerPorts['knownHosts'] {
  let known: { readonly position: number; readonly hosts: ReadonlySet<string> } | null = null
  return () => {
    const { position } = commit.mark()
    if (known?.position !== position) {
      const urls = sites.list().flatMap((site) => [site.callbackUrl, site.publicUrl ?? site.callbackUrl])
      known = { position, hosts: new Set(urls.map((url) => new URL(url).hostname)) }
    }
    return known.hosts
  }
}
