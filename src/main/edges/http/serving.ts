import type { Site } from '../../../contract/domain/site.ts'
import { isDamage } from '../../library/db/database/open.ts'
import type { Ownership } from '../../library/db/owner.ts'
import { isStorageFault, storageReason } from '../../platform/disk/storage-reason.ts'
import { within } from '../../platform/timing/within.ts'
import type { IntakePorts } from '../../use-cases/intake/intake.ts'
import { createIntake } from '../../use-cases/intake/intake.ts'
import { createPublicFiles } from './public-files.ts'
import type { ListenerPorts } from './requests.ts'
import type { Listener } from './server.ts'
import { listen } from './server.ts'

export type ServingPorts = IntakePorts & Pick<ListenerPorts, 'clientAddress'>

/** An address to listen at. */
export interface Place {
  readonly host: string
  readonly port: number
}

/** How long a stop waits for saves that are under way. */
const stopGraceMs = 10_000
/** How long a stop waits for answers that are read slowly; what they answer is stored. */
const answersGraceMs = 500

/** An answer up to this size is sent in one piece. */
const inOnePieceBytes = 64 * 1024

/** One run of the listener, from its start to its stop. */
export interface Serving {
  readonly url: string
  /** Whether the run before it came to an orderly end. */
  readonly wasClean: boolean
  /** Resolves when no save is under way. */
  idle(): Promise<void>
  /** Takes no more requests, and waits for the saves under way. */
  drain(): Promise<void>
  /** Notes how the library was left, and gives its ownership back. */
  release(isClean: boolean): void
}

/** Serves a library that this process owns; the ownership is given back when the run fails to start, and at its end. */
export async function serveLibrary(ports: ServingPorts, ownership: Ownership, place: Place): Promise<Serving> {
  const { index, vault, log } = ports
  let listener: Listener | null = null
  try {
    index.callbacks.closeInterrupted()
    await vault.sweepStaging()
    const wasClean = index.settings.get('clean') !== 'no'
    const intake = createIntake(ports)
    listener = await listen(
      {
        findSite: index.sites.find,
        knownHosts: () => knownHosts(index.sites.list()),
        receive: noticingDamage(intake.receive, ports.onDiskFault),
        turnAway: intake.turnAway,
        files: createPublicFiles(index, vault, log),
        openBlob(blob) {
          const found = index.blobs.find(blob)
          if (!found) throw new Error('An answer names a blob that is not there')
          const { sizeBytes } = found
          return sizeBytes <= inOnePieceBytes ? vault.readNow(found) : { sizeBytes, stream: vault.read(found) }
        },
        clientAddress: ports.clientAddress,
        log,
      },
      place.host,
      place.port,
    )
    const { url, close } = listener
    // From here on there may be saves that a crash could cut off.
    index.settings.put('clean', 'no')
    ownership.announce(url)
    return {
      url,
      wasClean,
      idle: intake.idle,
      async drain() {
        const closed = close()
        await intake.stop(stopGraceMs)
        await within(answersGraceMs, closed, undefined)
      },
      release(isClean) {
        try {
          index.settings.put('clean', isClean ? 'yes' : 'no')
          ownership.announce(null)
        } catch (error) {
          if (!isStorageFault(error)) throw error
          log(`the end of the listener could not be written down: ${storageReason(error)}`)
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

/** What is thrown past a save, such as by a look into the log of callbacks, may be the first sign of damage. */
const noticingDamage =
  (receive: ListenerPorts['receive'], onDiskFault: ServingPorts['onDiskFault']): ListenerPorts['receive'] =>
  (delivery) =>
    receive(delivery).catch((error: unknown) => {
      if (isDamage(error)) onDiskFault(error)
      throw error
    })

/** Hosts under which a library may be addressed: those of its sites' callback and public URLs. */
const knownHosts = (sites: readonly Site[]): ReadonlySet<string> =>
  new Set(
    sites.flatMap((site) => [site.callbackUrl, site.publicUrl ?? site.callbackUrl].map((url) => new URL(url).hostname)),
  )
