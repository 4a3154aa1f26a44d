import { createContext, useContext } from 'react'

export const densities = ['compact', 'default', 'roomy'] as const
export type Density = (typeof densities)[number]

/** Heights of a row in pixels, of one line and of two; `tokens.css` holds the same numbers for everything else. */
const rowPx: Readonly<Record<Density, readonly [number, number]>> = {
  compact: [28, 44],
  default: [32, 48],
  roomy: [40, 56],
}

export const DensityContext = createContext<Density>('default')

/** The height of a row in pixels, as dense as the window is set to. */
export function useRowHeight(isTall: boolean): number {
  const [single, tall] = rowPx[useContext(DensityContext)]
  return isTall ? tall : single
}
