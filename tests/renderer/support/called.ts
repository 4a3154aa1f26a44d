import { createElement } from 'react'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import type { StoreApi } from 'zustand'

import { Provided } from '../../../src/renderer/context/provided.ts'
import type { Provide } from '../../../src/renderer/context/provided.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'

/** A server render shows the initial state of a store; this makes it the current one. */
export const live = <State>(store: StoreApi<State>): StoreApi<State> => ({
  ...store,
  getInitialState: () => store.getState(),
})

/** Calls a component or a hook in a render without a DOM, and returns what it returns. Setting its state does nothing. */
export function called<Value>(hook: () => Value, by: readonly Provide[]): Value {
  const values: Value[] = []
  const Probe = (): null => {
    values.push(hook())
    return null
  }
  const provided = Provided({ by, children: createElement(Probe) })
  renderToString(createElement(I18nextProvider, { i18n: createTexts('en') }, provided))
  const value = values.at(-1)
  if (value === undefined) throw new Error('Nothing was rendered')
  return value
}

type Props = Readonly<Record<string, unknown>>

/** The props of every element that a component returned, outermost first; inner components are not called. */
function propsIn(node: ReactNode): readonly Props[] {
  if (Array.isArray(node)) return node.flatMap(propsIn)
  if (typeof node !== 'object' || node === null || !('props' in node)) return []
  const props = node.props as Props
  return [props, ...propsIn(props['children'] as ReactNode)]
}

/** Calls the first handler of this name in what a component returned. */
export function handle(node: ReactNode, name: 'onChange' | 'onClick' | 'onSubmit', event: unknown): void {
  const handler = propsIn(node).find((props) => props[name] !== undefined)?.[name]
  if (typeof handler !== 'function') throw new Error(`Nothing handles ${name}`)
  handler(event)
}
