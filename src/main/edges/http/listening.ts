import type { ListenerState } from '../../../contract/domain/listener-state.ts'
import type { Site } from '../../../contract/domain/site.ts'
import type { CauseCode } from '../../../contract/cause.ts'
import { checkAfterCrash } from '../../use-cases/care/after-crash.ts'
import { createSleepWatch } from '../../use-cases/care/sleep-watch.ts'
import { LogMismatchError } from '../../library/db/commit.ts'
import { LibraryReadOnlyError } from '../../library/db/read-only-copy.ts'
import type { OpenedLibrary } from '../../library/db/open-library.ts'
import { isDamage } from '../../library/db/database/open.ts'
import type { LibraryOwnership, Ownership } from '../../library/db/owner.ts'
import { isStorageFault, storageReason } from '../../platform/disk/storage-reason.ts'
import { within } from '../../platform/timing/within.ts'
import type { IntakePorts } from '../../use-cases/intake/intake.ts'
import { createIntake } from '../../use-cases/intake/intake.ts'
import { createPublicFiles } from './public-files.ts'
import { createTrustedProxies } from './client-address.ts'
import type { Listener } from './server.ts'
import { ListenError, listen } from './server.ts'

export interface ListeningPorts extends Omit<IntakePorts, 'diskFault' | 'onDiskFault'> {
  readonly library: Pick<OpenedLibrary, 'state' | 'requestRebuild'>
  /** One process at a time listens for a library. */
  readonly ownership: LibraryOwnership
  /** Work on the library beside the listener; stopped with it, and never rejects. */
  readonly workBeside: (signal: AbortSignal) => Promise<void>
}

type Intake = ReturnType<typeof createIntake>

interface Place {
  readonly host: string
  readonly port: number
}

/** How long a stop waits for saves that are under way. */
const stopGraceMs = 10_000
/** How long a stop waits for answers that are read slowly; what they answer is stored. */
const answersGraceMs = 500

/** An answer up to this size is sent in one piece. */
const inOnePieceBytes = 64 * 1024

/** Listens for a library while this process owns it: started and stopped one at a time, and its state says what is true. */
export function createListening(ports: ListeningPorts) {
  const { library, index, vault, now, log } = ports
  const listeners = new Set<(state: ListenerState) => void>()
  const sleepWatch = createSleepWatch(index.settings, () => now().getTime(), log)
  let state: ListenerState = { kind: 'stopped' }
  let running: { listener: Listener; ownership: Ownership; intake: Intake } | null = null
  let starting: Promise<ListenerState> | null = null
  let stopping: Promise<void> = Promise.resolve()
  let closing = new AbortController()
  let check: Promise<void> = Promise.resolve()
  let workBeside: Promise<void> = Promise.resolve()
  /** True until the check after an unclean stop has come to its end: a stop before that leaves it to the next start. */
  let needsCheck = false
  let diskFault: CauseCode | null = null
  /** Where a person wants it to listen, until it is stopped or does not start. */
  let wanted: Place | null = null
  /** Where it listens for probes alone. */
  let lent: Place | null = null
  let probes = 0
  let proxies = createTrustedProxies([])

  const setState = (next: ListenerState): void => {
    state = next
    for (const tell of listeners) tell(next)
  }
  const sayListening = (url: string): void =>
    setState({ kind: 'listening', url, ...(diskFault !== null && { isDiskBroken: true }) })
  const onDiskFault = (error: unknown): void => {
    diskFault = isDamage(error) ? 'index_damaged_restart' : 'disk_error_restart'
    if (isDamage(error)) requestRebuild()
    if (running) sayListening(running.listener.url)
  }

  function requestRebuild(): void {
    try {
      library.requestRebuild()
      log('the index is damaged; no save is lost: it will be made anew from the log when the library is next opened')
    } catch (error) {
      log(`the index is damaged, and that could not be written down: ${storageReason(error)}`)
    }
  }

  /** What is thrown past a save, such as by a look into the log of callbacks, may be the first sign of damage. */
  const noticingDamage =
    (receive: Intake['receive']): Intake['receive'] =>
    (delivery) =>
      receive(delivery).catch((error: unknown) => {
        if (isDamage(error)) onDiskFault(error)
        throw error
      })

  const isIdle = (): boolean => running === null && starting === null

  /** Becomes the owner of the library and serves it; the state says how that went. */
  async function start(host: string, port: number): Promise<ListenerState> {
    if (isIdle()) lent = null
    wanted = { host, port }
    try {
      return await launch(host, port)
    } finally {
      if (running === null) wanted = null
    }
  }

  /** Runs a probe. Probes that run at the same time share the borrowed listener; the last one stops it. */
  async function whileProbing<Value>(probe: () => Promise<Value>): Promise<Value> {
    probes += 1
    try {
      return await probe()
    } finally {
      probes -= 1
      if (probes === 0) await giveBack()
    }
  }

  /** Starts it, where it does not run, for as long as probes take. */
  function borrow(host: string, port: number): Promise<ListenerState> {
    if (isIdle()) lent = { host, port }
    return launch(host, port)
  }

  /** Stops the listener that was started for probes. If a person has started it since, it goes on at the address they wanted. */
  async function giveBack(): Promise<void> {
    const at = lent
    const wish = wanted
    lent = null
    if (at === null || (wish?.host === at.host && wish.port === at.port)) return
    await stop()
    if (wish !== null) await start(wish.host, wish.port)
  }

  function launch(host: string, port: number): Promise<ListenerState> {
    // Calls during a start share it: the second one must not start another listener.
    starting ??= begin(host, port).finally(() => (starting = null))
    return starting
  }

  async function begin(host: string, port: number): Promise<ListenerState> {
    // The caller of `stop` gets its fault.
    await stopping.catch(() => undefined)
    if (running) return state
    closing = new AbortController()
    setState({ kind: 'starting' })
    try {
      return await serve(host, port)
    } catch (error) {
      const reason = error instanceof ListenError ? error.message : storageReason(error)
      const code = error instanceof ListenError ? error.code : 'library_unusable'
      setState({ kind: 'failed', reason, code, port })
      if (error instanceof ListenError || isStorageFault(error)) return state
      throw error
    }
  }

  async function serve(host: string, port: number): Promise<ListenerState> {
    if (library.state === 'log_mismatch') {
      setState({ kind: 'failed', reason: new LogMismatchError().message, code: library.state, port })
      return state
    }
    if (library.state === 'read_only') throw new LibraryReadOnlyError()
    const ownership = ports.ownership.hold()
    if (!ownership) {
      const owner = ports.ownership.owner()
      setState({ kind: 'elsewhere', processId: owner?.processId ?? 0, url: owner?.url ?? null })
      return state
    }
    let listener: Listener | null = null
    try {
      index.callbacks.closeInterrupted()
      await vault.sweepStaging()
      const wasClean = index.settings.get('clean') !== 'no'
      const intake = createIntake({ ...ports, diskFault: () => diskFault, onDiskFault })
      listener = await listen(
        {
          findSite: index.sites.find,
          knownHosts: () => knownHosts(index.sites.list()),
          receive: noticingDamage(intake.receive),
          turnAway: intake.turnAway,
          files: createPublicFiles(index, vault, log),
          openBlob(blob) {
            const place = index.blobs.find(blob)
            if (!place) throw new Error('An answer names a blob that is not there')
            const { sizeBytes } = place
            return sizeBytes <= inOnePieceBytes ? vault.readNow(place) : { sizeBytes, stream: vault.read(place) }
          },
          clientAddress: (peer, headers) => proxies.clientAddress(peer, headers),
          log,
        },
        host,
        port,
      )
      // From here on there may be saves that a crash could cut off.
      index.settings.put('clean', 'no')
      ownership.announce(listener.url)
      running = { listener, ownership, intake }
      sleepWatch.start()
      sayListening(listener.url)
      needsCheck = !wasClean
      if (needsCheck) check = reportCrash()
      workBeside = ports.workBeside(closing.signal)
      return state
    } catch (error) {
      void listener?.close()
      ownership.release()
      throw error
    }
  }

  async function reportCrash(): Promise<void> {
    try {
      const report = await checkAfterCrash(index, vault, closing.signal)
      if (closing.signal.aborted) return
      needsCheck = false
      const { filesMissing, indexProblems } = report
      log(`checked after an unclean stop: ${filesMissing} stored files missing`)
      for (const problem of indexProblems) log(`the index is damaged: ${problem}`)
      if (indexProblems.length === 0) return
      library.requestRebuild()
      log('no save is lost: the index will be made anew from the log when Galley starts again')
    } catch (error) {
      log(`the check after an unclean stop failed: ${storageReason(error)}`)
    }
  }

  /** Waits for saves under way; from then on none is taken until it is started again. */
  function stop(): Promise<void> {
    lent = null
    wanted = null
    stopping = end()
    return stopping
  }

  async function end(): Promise<void> {
    // What failed to start has said so in the state.
    await starting?.catch(() => undefined)
    if (!running) return
    const { listener, ownership, intake } = running
    running = null
    sleepWatch.stop()
    closing.abort()
    setState({ kind: 'stopping' })
    const closed = listener.close()
    await intake.stop(stopGraceMs)
    await within(answersGraceMs, closed, undefined)
    try {
      index.settings.put('clean', needsCheck ? 'no' : 'yes')
      ownership.announce(null)
    } catch (error) {
      if (!isStorageFault(error)) throw error
      log(`the end of the listener could not be written down: ${storageReason(error)}`)
    } finally {
      ownership.release()
      setState({ kind: 'stopped' })
    }
  }

  return {
    start,
    borrow,
    whileProbing,
    /** Whose forwarded addresses count: addresses and networks in which `trustedProxyProblem` finds nothing wrong. */
    trustProxies: (trusted: readonly string[]): void => void (proxies = createTrustedProxies(trusted)),
    /** Says that it is about to start, for a window that looks before it does. */
    announce: (): void => setState({ kind: 'starting' }),
    stop,
    state: () => state,
    onState(tell: (state: ListenerState) => void): () => void {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    /** Where nothing can be written, nobody can tell; then as if it were. */
    isServedElsewhere: (): boolean => library.state === 'read_only' || ports.ownership.isElsewhere(),
    /** Who serves the library right now, this process or another. */
    owner: () => ports.ownership.owner(),
    /** Resolves when no save is under way here. */
    whenIdle: (): Promise<void> => running?.intake.idle() ?? Promise.resolve(),
    /** Resolves when the check after an unclean stop and the work beside the listener have ended. */
    async checked(): Promise<void> {
      await check
      await workBeside
    },
    sleepGaps: sleepWatch.read,
  }
}

/** Hosts under which a library may be addressed: those of its sites' callback and public URLs. */
const knownHosts = (sites: readonly Site[]): ReadonlySet<string> =>
  new Set(
    sites.flatMap((site) => [site.callbackUrl, site.publicUrl ?? site.callbackUrl].map((url) => new URL(url).hostname)),
  )

export type Listening = ReturnType<typeof createListening>
