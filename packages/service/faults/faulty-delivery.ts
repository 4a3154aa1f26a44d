import type { DeliveryResult, OutgoingCallback } from '../callbacks/deliver.ts'
import { wait } from '../time/wait.ts'
import type { PendingFaults } from './pending-faults.ts'

const callbackFaults = ['delay', 'drop', 'drop_answer', 'duplicate', 'wrong_signature'] as const
const saveFaults = [...callbackFaults, 'out_of_order'] as const

/** Default delays of faults without one. */
const delayMs = 1_000
const holdMs = 30_000

interface FaultyDeliveryPorts {
  readonly faults: PendingFaults
  readonly deliver: (callback: OutgoingCallback) => Promise<DeliveryResult>
  readonly closing: AbortSignal
}

const failedDelivery = (message: string): DeliveryResult => ({
  delivered: false,
  httpStatus: null,
  error: 'unreachable',
  message,
})

/** A wrong signature of the same format. */
const corrupted = (signature: string): string => signature.replaceAll(/./g, (digit) => (digit === '0' ? '1' : '0'))

/** Delivers callbacks of both events. */
export interface CallbackDelivery {
  readonly fonts: (callback: OutgoingCallback) => Promise<DeliveryResult>
  readonly save: (callback: OutgoingCallback, sessionId: string) => Promise<DeliveryResult>
}

/** Delivers callbacks, applying the pending faults. */
export function createFaultyDelivery({ faults, deliver, closing }: FaultyDeliveryPorts): CallbackDelivery {
  /** By session: resolves a callback that waits for the session's next delivery. */
  const awaitingNext = new Map<string, (delivery: Promise<unknown>) => void>()

  const endOfNext = (sessionId: string): Promise<unknown> =>
    new Promise((resolve) => awaitingNext.set(sessionId, resolve))

  async function deliverWith(callback: OutgoingCallback, sessionId: string | null): Promise<DeliveryResult> {
    const fault = faults.take(sessionId === null ? callbackFaults : saveFaults)
    switch (fault?.kind) {
      case 'delay':
        await wait(fault.ms ?? delayMs, closing)
        return deliver(callback)
      case 'drop':
        return failedDelivery('The callback was dropped on its way to the site (scheduled fault drop).')
      case 'drop_answer':
        await deliver(callback)
        return failedDelivery("The site's response was lost on its way back (scheduled fault drop_answer).")
      case 'duplicate':
        await deliver(callback)
        return deliver(callback)
      case 'wrong_signature':
        return deliver({ ...callback, signature: corrupted(callback.signature) })
      case 'out_of_order':
        if (sessionId !== null) await Promise.race([endOfNext(sessionId), wait(fault.ms ?? holdMs, closing)])
        return deliver(callback)
      case undefined:
        return deliver(callback)
    }
  }

  return {
    fonts: (callback) => deliverWith(callback, null),
    save(callback, sessionId) {
      const resolveEarlier = awaitingNext.get(sessionId)
      awaitingNext.delete(sessionId)
      const delivery = deliverWith(callback, sessionId)
      resolveEarlier?.(delivery)
      return delivery
    },
  }
}
