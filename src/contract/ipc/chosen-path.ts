import { z } from 'zod'

/**
 * Stands for a place that a person chose in a dialog of main. A window shows paths and names none: what it sends back is the
 * token, which is good for one purpose, in this session alone.
 */
export const chosenToken = z.string().max(100)

/** A place that was chosen just now: to be shown, and to be named by its token. */
export interface ChosenPath {
  readonly token: string
  readonly path: string
}
