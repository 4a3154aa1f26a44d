import type { ListenerState } from '../records/listener-state.ts'
import type { LifeCyclePorts } from './life-cycle.ts'
import { createLifeCycle } from './life-cycle.ts'
import { createProbeListener } from './probe-listener.ts'

/** Runs the listener of a library while this process owns it, for the user and for probes. */
export function createListening(ports: LifeCyclePorts) {
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
