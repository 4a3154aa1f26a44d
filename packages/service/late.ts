/** Parts that are loaded when they are first needed, so that starts and refusals do without them. */

export const loadEmulator = () => import('./emulator.ts')
