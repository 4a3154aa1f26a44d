/** The service side, run locally. */

export type { EndedCallback } from './callbacks/sent-callbacks.ts'
export type { DemoSave } from './demo-content.ts'
export { demoContent } from './demo-content.ts'
export type { Emulator } from './emulator.ts'
export { loadEmulator } from './late.ts'
export type { SiteSetup } from './sites/service-site.ts'
export { parseMoment } from './time/moments.ts'
