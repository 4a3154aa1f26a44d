import type { ListenerState } from '../../../contract/domain/listener-state.ts'
import type { LifeCyclePorts } from './life-cycle.ts'
import { createLifeCycle } from './life-cycle.ts'
import { createProbeLoans } from './probe-loans.ts'

/** Listens for a library while this process owns it, for a person and for probes. */
export function createListening(ports: LifeCyclePorts) {
  const { library, ownership } = ports
  const lifeCycle = createLifeCycle(ports)
  const { state } = lifeCycle
  return {
    ...createProbeLoans(lifeCycle),
    /** Whose forwarded addresses count: addresses and networks in which `trustedProxyProblem` finds nothing wrong. */
    trustProxies: lifeCycle.trustProxies,
    /** Says that it is about to start, for a window that looks before it does. */
    announce: (): void => state.set({ kind: 'starting' }),
    state: state.read,
    onState: (tell: (state: ListenerState) => void): (() => void) => state.onChange(tell),
    /** Where nothing can be written, nobody can tell; then as if it were. */
    isServedElsewhere: (): boolean => library.state === 'read_only' || ownership.isElsewhere(),
    /** Who serves the library right now, this process or another. */
    owner: () => ownership.owner(),
    /** Resolves when no save is under way here. */
    whenIdle: lifeCycle.whenIdle,
    /** Resolves when the check after an unclean stop and the work beside the listener have ended. */
    checked: lifeCycle.checked,
    sleepGaps: lifeCycle.sleepGaps,
  }
}

export type Listening = ReturnType<typeof createListening>
