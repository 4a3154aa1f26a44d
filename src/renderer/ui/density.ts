import { createContext, useContext } from 'react'

export const densities = ['compact', 'default', 'roomy'] as const
export type Density = (typeof densities)[number]

/** Row heights in pixels, for one line and for two; `tokens.css` has the same numbers for everything else. */
const rowPx: Readonly<Record<Density, readonly [number, number]>> = {
  compact: [28, 44],
  default: [32, 48],
  roomy: [40, 56],
}

export const DensityContext = createContext<Density>('default')

/** The row height in pixels at the window's density. */
export function useRowHeight(isTall: boolean): number {
  const [single, tall] = rowPx[useContext(DensityContext)]
  return isTall ? tall : single
}
