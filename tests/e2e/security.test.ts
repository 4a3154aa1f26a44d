import { join } from 'node:path'
import { expect, test } from 'vitest'

import { galley, startListen } from '../cli/support/cli.ts'
import { aFolder, aFreePort, expectListener, recordOpenedAddresses, startApp } from './support/app.ts'

interface Seen {
  readonly violations: string[]
}

test('the page is sandboxed, sees one bridge, and cannot leave', async () => {
  const port = await aFreePort()
  const { app, page, nativeWindow, close } = await startApp({ library: join(await aFolder(), 'library'), port })
  const openedAddresses = await recordOpenedAddresses(app)
  await expectListener(page, 'Listening')

  const preferences = await nativeWindow.evaluate(({ webContents }) => {
    // Exists in Electron, but not in its types.
    const { getLastWebPreferences } = webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
    return getLastWebPreferences.call(webContents)
  })
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
  })
  expect(preferences['nodeIntegrationInWorker']).not.toBe(true)
  expect(preferences['webSecurity']).not.toBe(false)
  expect(preferences['allowRunningInsecureContent']).not.toBe(true)

  // They would open a moment later, so this is checked at the end.
  await nativeWindow.evaluate(({ webContents }) => webContents.openDevTools())

  const globals = await page.evaluate(() => {
    const clean = document.createElement('iframe')
    document.body.append(clean)
    const known = new Set(Object.getOwnPropertyNames(clean.contentWindow))
    clean.remove()
    return {
      types: ['require', 'process', 'module', 'Buffer', 'global', 'electron', '__dirname'].map(
        (name) => typeof (window as unknown as Record<string, unknown>)[name],
      ),
      added: Object.getOwnPropertyNames(window).filter((name) => !known.has(name) && !/^\d+$/.test(name)),
      bridge: Object.keys(window.galley).toSorted(),
      isFrozen: Object.isFrozen(window.galley),
    }
  })
  expect(new Set(globals.types)).toStrictEqual(new Set(['undefined']))
  expect(globals.added.filter((name) => !/playwright|^__zod_global/i.test(name))).toStrictEqual(['galley'])
  expect(globals.bridge).toStrictEqual(['call', 'on'])
  expect(globals.isFrozen).toBe(true)

  // Loaded once more under observation: the app's own page breaks no rule of its policy, a foreign script does.
  await page.addInitScript(() => {
    const violations: string[] = []
    Object.assign(globalThis, { violations })
    document.addEventListener('securitypolicyviolation', (event) =>
      violations.push(`${event.violatedDirective} ${event.blockedURI}`),
    )
  })
  await page.reload()
  await expectListener(page, 'Listening')
  await page.getByRole('button', { name: 'Skip setup' }).click()
  await page.getByRole('button', { name: 'Add site' }).click()
  await page.getByRole('dialog').getByRole('combobox').first().click()
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('theme')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Escape')
  const violations = () => page.evaluate(() => (globalThis as unknown as Seen).violations)
  expect(await violations()).toStrictEqual([])
  const outcome = await page.evaluate(async (address) => {
    const script = document.createElement('script')
    script.textContent = 'globalThis.hasRun = true'
    document.body.append(script)
    // Later, because the debugger itself may evaluate text.
    const isEvaluated = await new Promise((resolve) =>
      setTimeout(() => {
        try {
          // Requests that the policy must refuse.
          // oxlint-disable-next-line no-eval
          resolve((0, eval)('true'))
        } catch {
          resolve(false)
        }
      }),
    )
    const isFetched = await fetch(address).then(
      () => true,
      () => false,
    )
    return { hasRun: 'hasRun' in globalThis, isEvaluated, isFetched }
  }, `http://127.0.0.1:${port}/health`)
  expect(outcome).toStrictEqual({ hasRun: false, isEvaluated: false, isFetched: false })
  expect((await violations()).length).toBeGreaterThan(1)

  const before = page.url()
  const opened = await page.evaluate(() => window.open('https://example.com') === null)
  expect(opened).toBe(true)
  await nativeWindow.evaluate(({ webContents }) => {
    const refused: string[] = []
    Object.assign(globalThis, { refused })
    webContents.on('will-frame-navigate', (event: Electron.Event<Electron.WebContentsWillFrameNavigateEventParams>) => {
      if (event.defaultPrevented) refused.push(event.url)
    })
  })
  const refused = () => app.evaluate(() => Reflect.get(globalThis, 'refused') as string[])
  await page.evaluate(() => {
    const link = document.createElement('a')
    link.href = 'https://example.com/by-link'
    document.body.append(link)
    link.click()
  })
  await expect.poll(refused).toStrictEqual(['https://example.com/by-link'])
  await page.evaluate(() => location.assign('https://example.com/by-script'))
  await expect.poll(refused).toContain('https://example.com/by-script')
  expect(page.url()).toBe(before)
  expect(app.windows()).toHaveLength(1)
  expect(await openedAddresses()).toStrictEqual([])
  const hasDevTools = await nativeWindow.evaluate(({ webContents }) => webContents.isDevToolsOpened())
  expect(hasDevTools, 'the tools of a developer').toBe(false)
  await expectListener(page, 'Listening')
  await close()
})

test('a library that another process serves is shown beside it, and a taken port is told', async () => {
  const library = join(await aFolder(), 'library')
  await galley(['site', 'list', '--library', library], { GALLEY_SECRETS: 'env' })
  const listener = await startListen(library, { GALLEY_SECRETS: 'env' })
  const reader = await startApp({ library, port: await aFreePort() })
  await expectListener(reader.page, `Another process is listeningprocess ${listener.child.pid}`)
  await reader.close()
  expect(listener.child.exitCode, 'the other process goes on').toBeNull()

  const taken = await startApp({
    library: join(await aFolder(), 'library'),
    port: Number(new URL(listener.url).port),
  })
  await expectListener(taken.page, 'Not listening')
  await taken.page.getByText('Another program uses port').waitFor()
  listener.child.kill('SIGTERM')
  await listener.ended
  await taken.page.getByRole('button', { name: 'Try again' }).click()
  await expectListener(taken.page, 'Listening')
  await taken.close()
})
