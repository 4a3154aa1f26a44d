import { createContext } from 'react'
import type { ReactNode } from 'react'

/** What names a problem in the guide. */
export interface Explained {
  readonly code: string
  readonly state?: string | undefined
}

/** Draws the link to what the guide says about a problem; the window sets it around everything. */
export const MeansContext = createContext<(problem: Explained) => ReactNode>(() => null)
