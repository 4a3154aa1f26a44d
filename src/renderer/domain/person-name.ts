import { fail, ok } from '@galley/wire'
import type { Result } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge, CallProblem } from '../../ipc/calls.ts'
import { catchUnexpected } from '../bridge/answers.ts'
import { createStoreContext } from '../context/provided.ts'

export interface PersonNameState {
  /** Whether something that carries a name waits for it. */
  readonly isAsked: boolean
  /** Keeps the name on this computer, and lets what waits go on. */
  give(name: string): Promise<Result<null, CallProblem>>
  /** Nothing that waits is done. */
  refuse(): void
}

/** Calls that keep a name: decisions and comments. */
const carriesName = (name: string, input: unknown): boolean =>
  ['decideReview', 'approveUnchanged', 'addComment', 'answerComment', 'settleComment'].includes(name) ||
  (name === 'setFields' && (input as { readonly set: object }).set.hasOwnProperty('verdict'))

/**
 * The name of the person at this computer, which is asked for once: before the first decision or comment. `named` resolves to
 * whether there is one. `signed` is a bridge whose decisions and comments wait for it.
 */
export function createPersonName(bridge: Bridge): {
  readonly store: StoreApi<PersonNameState>
  readonly named: () => Promise<boolean>
  readonly signed: Bridge
} {
  let isKnown: boolean | null = null
  let waiting: readonly ((isNamed: boolean) => void)[] = []
  bridge.on('settings', ({ personName }) => void (isKnown = personName.trim() !== ''))
  const settle = (isNamed: boolean): void => {
    const before = waiting
    waiting = []
    store.setState({ isAsked: false })
    for (const go of before) go(isNamed)
  }
  const store = createStore<PersonNameState>()(() => ({
    isAsked: false,
    async give(personName) {
      const kept = await catchUnexpected(bridge.call('changeSettings', { personName: personName.trim() }))
      if (!kept.ok) return kept
      isKnown = true
      settle(true)
      return ok(null)
    },
    refuse: () => settle(false),
  }))
  async function named(): Promise<boolean> {
    // Without settings, the name of the account is as good.
    isKnown ??= await bridge.call('readSettings', undefined).then(
      ({ personName }) => personName.trim() !== '',
      () => true,
    )
    if (isKnown) return true
    return new Promise((resolve) => {
      waiting = [...waiting, resolve]
      store.setState({ isAsked: true })
    })
  }
  const call: Bridge['call'] = async (name, input) => {
    if (carriesName(name, input) && !(await named())) return fail({ code: 'name_missing' }) as never
    return bridge.call(name, input)
  }
  return { store, named, signed: { call, on: bridge.on } }
}

export const [usePersonName, providePersonName] = createStoreContext<PersonNameState>('name of the person')
