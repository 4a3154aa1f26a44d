import type { ReactNode } from 'react'
import { createContext, createElement, useContext } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand'

/** Wraps components in a provider. */
export type Provide = (children: ReactNode) => ReactNode

/** Creates a context: a hook that reads its value, and a function that provides one. */
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

/** Reads a store: its whole state, or a selected part. */
export interface UseStore<State> {
  (): State
  <Part>(select: (state: State) => Part): Part
}

/**
 * A context for a store: the window provides one instance, tests their own. The third element returns the store itself,
 * for event handlers that read it without subscribing.
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

/** Nests providers, the first one outermost. */
export function Provided({
  by,
  children,
}: {
  readonly by: readonly Provide[]
  readonly children: ReactNode
}): ReactNode {
  return by.reduceRight((inner: ReactNode, provide) => provide(inner), children)
}
