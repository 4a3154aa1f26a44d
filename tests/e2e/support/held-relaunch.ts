import type { ElectronApplication } from 'playwright'
import { expect } from 'vitest'

/**
 * Prevents Electron from restarting itself. The returned function resolves when it would have restarted, and lets it
 * quit.
 */
export async function heldRelaunch(app: ElectronApplication): Promise<() => Promise<void>> {
  await app.evaluate(({ app }) => {
    Object.assign(globalThis, { quit: app.quit })
    app.quit = () => undefined
    app.relaunch = () => void Object.assign(globalThis, { isRelaunched: true })
  })
  return async () => {
    await expect.poll(() => app.evaluate(() => Reflect.get(globalThis, 'isRelaunched') === true)).toBe(true)
    await app.evaluate(({ app }) => void (app.quit = Reflect.get(globalThis, 'quit') as () => void))
  }
}
