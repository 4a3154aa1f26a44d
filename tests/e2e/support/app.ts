import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ElectronApplication, Page } from 'playwright'
import { expect } from 'vitest'

import type { Bridge } from '../../../src/ipc/calls.ts'
import { atEnd } from './at-end.ts'
import { launchElectron } from './electron.ts'
import { unhurried } from './unhurried.ts'

export { aFreePort } from '../../support/free-port.ts'

declare global {
  interface Window {
    /** The object that the preload script exposes to the app's pages. */
    readonly galley: Bridge
  }
}

export const projectRoot = fileURLToPath(new URL('../../..', import.meta.url))

/** How long a window may take to answer: a hang is found, and a busy machine is given its time. */
export const patientMs = 60_000
/** A window must close within this time. */
const closesWithinMs = 15_000

/** A folder that is deleted at the end. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-e2e-'))
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** The app on a real Electron, as `scripts/runtime/app-command.ts` starts it, and its window. */
export async function startApp(options: {
  readonly library: string
  /** From the command line; by default from the settings. */
  readonly port?: number
  readonly environment?: Readonly<Record<string, string>>
  /** Whether the window shows what is for developers; it does by default. */
  readonly isForDevelopers?: boolean
  /** The name of the person, which decisions carry; null: Galley has to ask. */
  readonly personName?: string | null
  /** The folder for data of this computer, of Electron and Galley. By default, a temporary one. */
  readonly profile?: string
}) {
  const port = options.port === undefined ? [] : ['--port', String(options.port)]
  const profile = options.profile ?? (await aFolder())
  const { isForDevelopers = true, personName = 'Ida Berg' } = options
  const app = await launchElectron([projectRoot, '--library', options.library, ...port], {
    XDG_CONFIG_HOME: profile,
    XDG_DATA_HOME: join(profile, 'data'),
    ...options.environment,
  })
  const child = app.process()
  let isOpen = true
  atEnd(() => isOpen && child.kill('SIGKILL'))
  const page = unhurried(await app.firstWindow())
  page.setDefaultTimeout(patientMs)
  // Tests read IDs and sources. The setting fails where nothing can be written.
  const settings = { ...(isForDevelopers && { isForDevelopers }), ...(personName !== null && { personName }) }
  await page.evaluate((wanted) => window.galley.call('changeSettings', wanted).catch(() => null), settings)
  // Never `getAllWindows()[0]`: the list has no order, and a window that draws thumbnails may be in it.
  const nativeWindow = await app.browserWindow(page)
  return {
    app,
    page,
    nativeWindow,
    async close(): Promise<void> {
      const exited = once(child, 'exit')
      const started = performance.now()
      // Playwright's own `close` interrupts whatever script runs in main, even one that Electron calls while it closes
      // a window; a quit inside that crashes. The app may exit before Playwright gets the answer.
      await app.evaluate(({ app }) => void setImmediate(() => app.quit())).catch(() => undefined)
      const [code] = (await exited) as [number | null]
      isOpen = false
      expect(performance.now() - started, 'milliseconds to close').toBeLessThan(closesWithinMs)
      expect(code).toBe(0)
    },
  }
}

/** Opens no browser: records the URLs that the app would have opened. */
export async function recordOpenedAddresses(app: ElectronApplication): Promise<() => Promise<readonly string[]>> {
  await app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { openedAddresses: opened })
    shell.openExternal = (url: string) => {
      opened.push(url)
      return Promise.resolve()
    }
  })
  return () => app.evaluate(() => (globalThis as unknown as { openedAddresses: string[] }).openedAddresses)
}

/** Waits until the listener's pill shows this text. */
export async function expectListener(page: Page, word: string): Promise<void> {
  await expect
    .poll(() => page.getByRole('status', { name: 'Listener' }).textContent(), { timeout: patientMs })
    .toContain(word)
}

/** The rows of a grid, without its header. */
export const inGrid = (page: Page, name: string) => page.getByRole('grid', { name }).locator('[data-row]')

/** Opens a section by its button in the sidebar. */
export const goTo = (page: Page, section: string) =>
  page
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('button', { name: new RegExp(`^${section}`) })
    .click()

/** Shows Delivery with all its checks, also those that need nobody. */
export async function goToChecks(page: Page): Promise<void> {
  await goTo(page, 'Delivery')
  await showAllChecks(page)
}

/** The same, where Delivery is shown already. */
export async function showAllChecks(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Health' }).waitFor()
  const show = page.getByRole('button', { name: 'Show all checks' })
  if ((await show.count()) > 0) await show.click()
}

/** Shows a tab of the publish section. */
export async function goToTab(page: Page, tab: string): Promise<void> {
  await goTo(page, 'Publish')
  await page.getByRole('tab', { name: tab, exact: true }).click()
}

/** Chooses in the site switcher. */
export async function chooseInSwitcher(page: Page, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: /^Site:/ }).click()
  await page.getByRole('menu').getByText(item).click()
}
