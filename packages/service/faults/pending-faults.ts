import type { Fault, FaultKind } from './fault.ts'

/** Faults that were ordered but have not happened yet. They are not stored: a restart clears them. */
export interface PendingFaults {
  readonly list: () => readonly Fault[]
  readonly add: (fault: Fault) => void
  readonly clear: () => void
  /** Takes the oldest pending fault of these kinds; null for none. */
  readonly take: <Kind extends FaultKind>(kinds: readonly Kind[]) => (Fault & { readonly kind: Kind }) | null
}

export function createPendingFaults(): PendingFaults {
  let pending: readonly Fault[] = []
  return {
    list: () => pending,
    add(fault) {
      pending = [...pending, fault]
    },
    clear() {
      pending = []
    },
    take<Kind extends FaultKind>(kinds: readonly Kind[]) {
      const isMeant = (fault: Fault): fault is Fault & { readonly kind: Kind } =>
        kinds.some((kind) => kind === fault.kind)
      const taken = pending.find(isMeant)
      if (taken === undefined) return null
      pending = pending.flatMap((fault) => {
        if (fault !== taken) return [fault]
        return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : []
      })
      return taken
    },
  }
}
