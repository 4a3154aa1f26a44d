import type { ReactNode } from 'react'
import { createContext, createElement, useContext } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand'

/** Puts a value above some components. */
export type Provide = (children: ReactNode) => ReactNode

/** A hook that finds the value which stands above a component, and the function that puts one there. */
export function createProvided<Value extends object>(name: string): readonly [() => Value, (value: Value) => Provide] {
  const Context = createContext<Value | null>(null)
  Context.displayName = name
  function useProvided(): Value {
    const value = useContext(Context)
    if (value === null) throw new Error(`Nothing above this component provides ${name}`)
    return value
  }
  return [useProvided, (value) => (children) => createElement(Context, { value }, children)]
}

/** Reads a store: all of its state, or the part that a selector picks. */
export interface UseStore<State> {
  (): State
  <Part>(select: (state: State) => Part): Part
}

/**
 * The same for a store: the window makes each store once and provides it, a test provides its own. The third is the hook
 * for the store itself, to read it at the moment of an event without following it.
 */
export function createStoreContext<State>(
  name: string,
): readonly [UseStore<State>, (store: StoreApi<State>) => Provide, () => StoreApi<State>] {
  const [useProvidedStore, provide] = createProvided<StoreApi<State>>(name)
  const all = (state: State): State => state
  function useState(): State
  function useState<Part>(select: (state: State) => Part): Part
  function useState(select: (state: State) => unknown = all): unknown {
    return useStore(useProvidedStore(), select)
  }
  return [useState, provide, useProvidedStore]
}

/** Puts all of these above the components, the first one outermost. */
export function Provided({
  by,
  children,
}: {
  readonly by: readonly Provide[]
  readonly children: ReactNode
}): ReactNode {
  return by.reduceRight((inner: ReactNode, provide) => provide(inner), children)
}
