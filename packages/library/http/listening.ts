import { isStorageFault, storageCause } from '@galley/platform'

import { createSleepWatch } from '../care/sleep-watch.ts'
import { createStorageWatch } from '../care/storage-watch.ts'
import type { OpenedLibrary } from '../db/open/open-library.ts'
import { LibraryReadOnlyError } from '../db/open/read-only-copy.ts'
import type { LibraryOwnership, Ownership } from '../db/owner.ts'
import type { ListenerState } from '../records/listener-state.ts'
import { createTrustedProxies } from './client-address.ts'
import { createCrashCheck } from './crash-check.ts'
import { createProbeListener } from './probe-listener.ts'
import type { ListenAddress, ListenerRun, ServingPorts } from './serving.ts'
import { serveLibrary } from './serving.ts'
import { ListenError } from './start-server.ts'

export interface ListeningPorts extends Omit<ServingPorts, 'storage' | 'clientAddress'> {
  /** Of the library. */
  readonly folder: string
  readonly library: Pick<OpenedLibrary, 'state' | 'log' | 'damage'>
  /** Only one process at a time listens for a library. */
  readonly ownership: LibraryOwnership
  /** Background work of the listener, stopped with it. Never rejects. */
  readonly workBeside: (signal: AbortSignal) => Promise<void>
}

/** Runs the listener of a library while this process owns it, for the user and for probes. */
export function createListening(ports: ListeningPorts) {
  const { library, ownership } = ports
  const lifeCycle = createLifeCycle(ports)
  const { state } = lifeCycle
  return {
    ...createProbeListener(lifeCycle),
    /** Sets the trusted proxies: addresses and networks that pass `trustedProxyProblem`. */
    trustProxies: lifeCycle.trustProxies,
    /** Sets the state to starting, for windows that read it before the start. */
    announce: (): void => state.set({ kind: 'starting' }),
    state: state.read,
    onState: (listener: (state: ListenerState) => void): (() => void) => state.onChange(listener),
    /** A read-only library cannot be locked, so this assumes that it is. */
    isServedElsewhere: (): boolean => library.state === 'read_only' || ownership.isElsewhere(),
    /** The current owner of the library: this process or another one. */
    owner: () => ownership.owner(),
    /** Resolves when no save is running in this process. */
    whenIdle: lifeCycle.whenIdle,
    /** Resolves when the check after an unclean stop and the background work have ended. */
    checked: lifeCycle.checked,
    /** Why no save can be stored now, after a probe where nothing was written lately. */
    checkStorage: lifeCycle.checkStorage,
    sleepGaps: lifeCycle.sleepGaps,
  }
}

export type Listening = ReturnType<typeof createListening>

/** Starts and stops a listener and its background work, one operation at a time, and reports its state. */
function createLifeCycle(ports: ListeningPorts) {
  const state = createStateFeed()
  const crashCheck = createCrashCheck(ports)
  const storage = createStorageWatch({ ...ports, onChange: () => running && notifyListening(running) })
  const sleepWatch = createSleepWatch(ports.index, () => ports.now().getTime(), ports.log)
  let running: ListenerRun | null = null
  let starting: Promise<ListenerState> | null = null
  let stopping: Promise<void> = Promise.resolve()
  let closing = new AbortController()
  let workBeside: Promise<void> = Promise.resolve()
  let proxies = createTrustedProxies([])

  const notifyListening = ({ url }: ListenerRun): void => {
    const fault = storage.fault()
    state.set({ kind: 'listening', url, ...(fault && { fault }) })
  }
  const clientAddress: ServingPorts['clientAddress'] = (peer, headers) => proxies.clientAddress(peer, headers)

  async function begin(address: ListenAddress): Promise<ListenerState> {
    // The caller of `stop` gets the error.
    await stopping.catch(() => undefined)
    if (running) return state.read()
    closing = new AbortController()
    state.set({ kind: 'starting' })
    try {
      await serve(address)
    } catch (error) {
      state.set(failedState(error, address.port))
      if (!(error instanceof ListenError) && !isStorageFault(error)) throw error
    }
    return state.read()
  }

  async function serve(address: ListenAddress): Promise<void> {
    const taken = takeLibrary(ports, address.port)
    if ('kind' in taken) return state.set(taken)
    running = await serveLibrary({ ...ports, clientAddress, storage }, taken, address)
    sleepWatch.start()
    storage.start()
    notifyListening(running)
    crashCheck.begin(running.wasClean, closing.signal)
    workBeside = ports.workBeside(closing.signal)
  }

  async function end(): Promise<void> {
    // A failed start has set the state.
    await starting?.catch(() => undefined)
    if (!running) return
    const ending = running
    running = null
    sleepWatch.stop()
    storage.stop()
    closing.abort()
    state.set({ kind: 'stopping' })
    await ending.drain()
    try {
      ending.release(!crashCheck.isDue())
    } finally {
      state.set({ kind: 'stopped' })
    }
  }

  return {
    state,
    launch(address: ListenAddress): Promise<ListenerState> {
      // Concurrent calls share the start: the second one must not start another listener.
      starting ??= begin(address).finally(() => (starting = null))
      return starting
    },
    stop(): Promise<void> {
      stopping = end()
      return stopping
    },
    isRunning: () => running !== null,
    isIdle: () => running === null && starting === null,
    trustProxies: (trusted: readonly string[]): void => void (proxies = createTrustedProxies(trusted)),
    whenIdle: (): Promise<void> => running?.idle() ?? Promise.resolve(),
    async checked(): Promise<void> {
      await crashCheck.ended()
      await workBeside
    },
    /** Why no save can be stored now, after a probe where nothing was written lately; null also while it does not run. */
    checkStorage: storage.check,
    sleepGaps: sleepWatch.read,
  }
}

/** The state of the listener with its subscribers. */
function createStateFeed() {
  const listeners = new Set<(state: ListenerState) => void>()
  let state: ListenerState = { kind: 'stopped' }
  return {
    read: () => state,
    set(next: ListenerState): void {
      state = next
      for (const listener of listeners) listener(next)
    },
    onChange(listener: (state: ListenerState) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Takes ownership of the library, or returns why it cannot be served. */
function takeLibrary({ library, ownership }: ListeningPorts, port: number): Ownership | ListenerState {
  if (library.state === 'log_mismatch') return { kind: 'failed', code: library.state, port }
  if (library.state === 'read_only') throw new LibraryReadOnlyError()
  const held = ownership.hold()
  if (held) return held
  const owner = ownership.owner()
  return { kind: 'elsewhere', processId: owner?.processId ?? 0, url: owner?.url ?? null }
}

function failedState(error: unknown, port: number): ListenerState {
  return error instanceof ListenError
    ? error.failure
    : { kind: 'failed', code: 'library_unusable', port, cause: storageCause(error) }
}
