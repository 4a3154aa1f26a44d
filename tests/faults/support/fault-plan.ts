import { faultKinds, isFaultKind } from '../../../packages/service/faults/fault.ts'

/** Random faults of every kind for the emulator, with small numbers that keep a test short. */
export function createFaultPlan(random: () => number) {
  const kinds = Object.keys(faultKinds).filter(isFaultKind)
  const upTo = (limit: number): number => Math.floor(random() * limit)
  return (): { readonly kind: string; readonly times: number; readonly ms?: number; readonly at_byte?: number } => {
    const kind = kinds[upTo(kinds.length)] ?? 'drop'
    switch (kind) {
      case 'delay':
        return { kind, times: 1, ms: upTo(40) }
      case 'out_of_order':
        return { kind, times: 1, ms: 60 + upTo(60) }
      case 'slow_download':
        return { kind, times: 1, ms: upTo(3) }
      case 'truncated_download':
        return { kind, times: 1 + upTo(3), at_byte: upTo(60_000) }
      case 'error_500':
        return { kind, times: 1 + upTo(3) }
      case 'drop':
      case 'drop_answer':
      case 'duplicate':
      case 'wrong_signature':
        return { kind, times: 1 }
    }
  }
}
