/** Opens the built app on a library, in a real Electron, and accesses its window. */

import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright'

import { appCommand } from '../../runtime/app-command.ts'
import type { Display } from '../../runtime/display.ts'
import type { FoundElectron } from '../../runtime/electron.ts'
import { callbackSecret } from '../listener.ts'

/** The environment of the bench. */
export interface Machine {
  readonly electron: FoundElectron
  readonly display: Display
  /** A folder for profiles, deleted with the run. */
  readonly folder: string
}

/** The environment of an app with its own profile. Its starts share the profile, as those of a user do. */
export const environmentOf = ({ display, folder }: Machine, appFolder: string): NodeJS.ProcessEnv => ({
  ...display.env,
  XDG_CONFIG_HOME: join(folder, basename(appFolder)),
  GALLEY_SECRETS: 'env',
  GALLEY_SECRET_BENCH: callbackSecret,
})

export interface OpenWindow {
  readonly app: ElectronApplication
  readonly page: Page
  /** Evaluates an expression on the functions of in-page.js, named `bench`. */
  readonly inPage: <Value>(expression: string) => Promise<Value>
  /** The renderer process of the window. */
  readonly rendererId: number
}

/** An app folder and its arguments. */
export type App = readonly [folder: string, ...args: readonly string[]]

export const galleyOn = (library: string): App => [
  join(import.meta.dirname, 'galley'),
  '--library',
  library,
  '--port',
  '0',
]

/** A window with only static HTML. */
export const bareApp: App = [join(import.meta.dirname, 'bare')]

/** Injects `bench` into a page. */
export const prepare = (page: Page): Promise<unknown> =>
  page.evaluate(readFileSync(join(import.meta.dirname, 'in-page.js'), 'utf8'))

/** The app's window while `use` runs. */
export async function withWindow<Value>(
  machine: Machine,
  [folder, ...given]: App,
  use: (window: OpenWindow) => Promise<Value>,
): Promise<Value> {
  const [executablePath, ...args] = appCommand(machine.electron, machine.display, folder)
  const app = await _electron.launch({
    executablePath,
    args: [...args, ...given],
    env: environmentOf(machine, folder) as Record<string, string>,
    timeout: 30_000,
  })
  try {
    const page = await app.firstWindow()
    await page.locator('[data-row]').first().waitFor()
    await prepare(page)
    const window = await app.browserWindow(page)
    const rendererId = await window.evaluate(({ webContents }) => webContents.getOSProcessId())
    return await use({ app, page, rendererId, inPage: (expression) => page.evaluate(expression) })
  } finally {
    await app.close()
  }
}

/** Starts observing, and acts only after the page confirms it, since input overtakes evaluation. Returns the observed value. */
export async function watched(page: Page, expression: string, act: () => Promise<unknown>): Promise<number> {
  const seen = page.evaluate<number>(expression)
  await page.evaluate('null')
  await act()
  return seen
}
