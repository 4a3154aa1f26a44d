import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { _electron } from 'playwright'
import type { ElectronApplication, Page } from 'playwright'
import { expect, onTestFinished } from 'vitest'

const projectRoot = fileURLToPath(new URL('../../..', import.meta.url))

/** A window that does not close by then keeps somebody waiting. */
const closesWithinMs = 5_000

/** A folder that is gone when the test is. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-e2e-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A port that was free a moment ago. */
export async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The app on a real Electron, as `scripts/runtime/app-command.ts` starts it, and its window. */
export async function startApp(options: {
  readonly library: string
  readonly port: number
  readonly environment?: Readonly<Record<string, string>>
}) {
  const executablePath = process.env['GALLEY_TEST_ELECTRON']
  if (executablePath === undefined) throw new Error('GALLEY_TEST_ELECTRON is not set: run this by npm test')
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !/^GALLEY_|^VITEST|^NODE_/.test(entry[0]),
  )
  const app = await _electron.launch({
    executablePath,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--log-level=3',
      projectRoot,
      ...['--library', options.library, '--port', String(options.port)],
    ],
    // Electron's own profile is a throw-away one as well.
    env: { ...Object.fromEntries(inherited), XDG_CONFIG_HOME: await aFolder(), ...options.environment },
    // Playwright would show every page as light.
    colorScheme: null,
    timeout: 30_000,
  })
  const child = app.process()
  let isOpen = true
  onTestFinished(async () => {
    if (isOpen) child.kill('SIGKILL')
  })
  const page = await app.firstWindow()
  page.setDefaultTimeout(10_000)
  return {
    app,
    page,
    async close(): Promise<void> {
      const exited = once(child, 'exit')
      const started = performance.now()
      await app.close()
      const [code] = (await exited) as [number | null]
      isOpen = false
      expect(performance.now() - started, 'milliseconds to close').toBeLessThan(closesWithinMs)
      expect(code).toBe(0)
    },
  }
}

/** Keeps the browser out of it: the addresses that the app would have opened are recorded instead. */
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

/** Waits until the listener's pill says this. */
export async function expectListener(page: Page, word: string): Promise<void> {
  await expect
    .poll(() => page.getByRole('status', { name: 'Listener' }).textContent(), { timeout: 10_000 })
    .toContain(word)
}

export const inGrid = (page: Page, name: string) => page.getByRole('grid', { name }).locator('tbody').getByRole('row')
