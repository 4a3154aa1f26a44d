import { join } from 'node:path'
import { expect, test } from 'vitest'

import type { Bridge } from '../../src/contract/ipc.ts'
import { galley, startListen } from '../cli/support/cli.ts'
import { aFolder, aFreePort, expectListener, recordOpenedAddresses, startApp } from './support/app.ts'

declare global {
  interface Window {
    readonly galley: Bridge
  }
}

interface Seen {
  readonly violations: string[]
}

test('the page is sandboxed, sees one bridge, and cannot leave', { timeout: 60_000 }, async () => {
  const port = await aFreePort()
  const { app, page, close } = await startApp({ library: join(await aFolder(), 'library'), port })
  const openedAddresses = await recordOpenedAddresses(app)
  await expectListener(page, 'Listening')

  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0] ?? {}
    // Electron has it, its types do not.
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

  const hasDevTools = await app.evaluate(({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0] ?? {}
    webContents?.openDevTools()
    return webContents?.isDevToolsOpened()
  })
  expect(hasDevTools).toBe(false)

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
  expect(globals.added.filter((name) => !/playwright/i.test(name))).toStrictEqual(['galley'])
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
  await page.getByRole('button', { name: 'Add site' }).first().click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  const violations = () => page.evaluate(() => (globalThis as unknown as Seen).violations)
  expect(await violations()).toStrictEqual([])
  const outcome = await page.evaluate(async (address) => {
    const script = document.createElement('script')
    script.textContent = 'globalThis.hasRun = true'
    document.body.append(script)
    // Later, since what the debugger itself runs may evaluate text.
    const isEvaluated = await new Promise((resolve) =>
      setTimeout(() => {
        try {
          // What the policy has to refuse.
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
  await page.evaluate(() => {
    const link = document.createElement('a')
    link.href = 'https://example.com/'
    document.body.append(link)
    link.click()
    location.assign('https://example.com/')
  })
  await page.waitForTimeout(500)
  expect(page.url()).toBe(before)
  expect(app.windows()).toHaveLength(1)
  expect(await openedAddresses()).toStrictEqual([])
  await expectListener(page, 'Listening')
  await close()
})

test('a call with a name or an input that does not fit is refused, and says nothing of the inside', async () => {
  const { page, close } = await startApp({ library: join(await aFolder(), 'library'), port: await aFreePort() })
  await expectListener(page, 'Listening')
  const call = (name: string, input: unknown) =>
    page.evaluate(
      ([name, input]) =>
        (window.galley.call as (name: unknown, input: unknown) => Promise<unknown>)(name, input).then(
          () => 'answered',
          (error: unknown) => (error instanceof Error ? error.message : 'refused'),
        ),
      [name, input] as const,
    )
  expect(await call('listSites', undefined)).toBe('answered')
  for (const name of ['constructor', '__proto__', 'toString', '', 'readSecret']) {
    expect(await call(name, undefined), name).toContain('Galley knows no such call.')
  }
  for (const [name, input] of [
    ['listSites', { all: true }],
    ['showVersion', { site: 'a', materialId: 'b' }],
    ['showVersion', { site: 1, materialId: 'b', versionId: 'c' }],
    ['listMaterials', { site: 'a', text: 'x'.repeat(1001) }],
    ['listCallbacks', { site: null, limit: 1e9 }],
    ['openEditor', { site: 'a', materialId: '', title: null }],
    ['saveSite', { id: 'a', secret: 'tell nobody' }],
    ['removeSite', { site: 'a', force: true }],
  ] as const) {
    const refusal = await call(name, input)
    expect(refusal, name).toContain('Galley cannot use this input.')
    expect(refusal).not.toContain('tell nobody')
  }
  await close()
})

test(
  'a library that another process serves is shown beside it, and a taken port is told',
  { timeout: 60_000 },
  async () => {
    const library = join(await aFolder(), 'library')
    await galley(['site', 'list', '--library', library], { GALLEY_SECRETS: 'env' })
    const listener = await startListen(library, { GALLEY_SECRETS: 'env' })
    const reader = await startApp({ library, port: await aFreePort() })
    await expectListener(reader.page, `Served elsewhereprocess ${listener.child.pid}`)
    await reader.close()
    expect(listener.child.exitCode, 'the other process goes on').toBeNull()

    const taken = await startApp({
      library: join(await aFolder(), 'library'),
      port: Number(new URL(listener.url).port),
    })
    await expectListener(taken.page, 'Not listening')
    await taken.page.getByText('is taken by another program').waitFor()
    listener.child.kill('SIGTERM')
    await listener.ended
    await taken.page.getByRole('button', { name: 'Try again' }).click()
    await expectListener(taken.page, 'Listening')
    await taken.close()
  },
)
