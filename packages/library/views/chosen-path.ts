import { z } from 'zod'

/**
 * A token for a path that a person chose in a dialog of main. A window shows paths but never sends them: it sends the
 * token, which is valid for one purpose in this session only.
 */
export const chosenToken = z.string().max(100)
