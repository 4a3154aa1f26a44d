/** Finds newer versions of the app, and checks them before they are installed. */

export { readSource } from './source.ts'
export type { Offer, UpdateState } from './state.ts'
export { createUpdates, storedState, type Installer } from './updates.ts'
