import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ElectronApplication } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, goToChecks, startApp } from './support/app.ts'
import { answerDialogs } from './support/dialogs.ts'
import { aPage } from './support/service.ts'
import { startSiteWindow } from './support/site-window.ts'

/** The output of the app when it quits, with the dialogs that Electron would have shown and its relaunches. */
async function watchEnd(app: ElectronApplication) {
  const child = app.process()
  const { stderr } = child
  if (stderr === null) throw new Error('Nobody hears what the app says')
  const said: string[] = []
  createInterface(stderr).on('line', (line) => {
    // Node's, about its being driven by a test.
    if (!/debugger|nodejs\.org/i.test(line)) said.push(line)
  })
  const exited = once(child, 'exit')
  await app.evaluate(({ app, dialog }) => {
    const say = (text: string): void => void process.stderr.write(`[${text}]\n`)
    dialog.showErrorBox = (title, content) => say(`error box ${title} ${content}`)
    dialog.showMessageBox = () => {
      say('message box')
      return new Promise(() => undefined)
    }
    app.relaunch = () => say('relaunch')
  })
  return { child, exited, said }
}

/** Not within the evaluation, whose answer would be lost with the process. */
const quit = (app: ElectronApplication): Promise<unknown> =>
  app.evaluate(({ app }) => void setImmediate(() => app.quit())).catch(() => null)

const windowsOf = (app: ElectronApplication) => () =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)

test('saves that are under way end first, however often the app is asked to, and a start meanwhile comes after', async () => {
  const { app, emulator, save } = await startSiteWindow()
  await save('first', aPage('First'))
  await save('second', aPage('Second'))
  const faults = `${emulator.url}/_emulator/faults`
  const order = (fault: object) => fetch(faults, { method: 'POST', body: JSON.stringify(fault) })
  const pending = async () => (await fetch(faults)).json()
  const { child, exited, said } = await watchEnd(app)
  const { executable, args, env } = await app.evaluate(() => ({
    executable: process.execPath,
    args: process.argv.slice(1).filter((word) => !/^--(?:inspect|remote-debugging)/.test(word)),
    env: process.env,
  }))

  // The first one is reported while the second continues.
  const saves: Promise<unknown>[] = []
  for (const [materialId, ms] of [
    ['first', 1_500],
    ['second', 5_000],
  ] as const) {
    await order({ kind: 'slow_download', ms })
    saves.push(save(materialId, aPage(`${materialId} again`)))
    await expect.poll(pending).toEqual([])
  }
  await quit(app)
  await expect.poll(windowsOf(app)).toBe(0)
  child.kill('SIGTERM')
  child.kill('SIGINT')
  const [code] = await once(spawn(executable, args, { env, stdio: 'ignore' }), 'exit')
  expect(code).toBe(0)
  await expect.poll(() => said).toEqual(['[relaunch]'])
  child.kill('SIGTERM')

  expect(await Promise.all(saves)).toMatchObject([{ result: 'merged' }, { result: 'merged' }])
  expect(await exited).toEqual([0, null])
  expect(said).toEqual(['[relaunch]'])
})

test('a listener that is still starting is stopped too', async () => {
  const library = join(await aFolder(), 'library')
  const { app, page } = await startApp({ library, port: await aFreePort() })
  const status = page.getByRole('status', { name: 'Listener' })
  await status.getByText('Listening').waitFor()
  await page.evaluate(() => window.galley.call('stopListener', undefined))
  // A start first removes what an interrupted save has left. Here, that lasts until the app is asked to quit.
  await mkdir(join(library, 'staging', randomUUID()))
  await app.evaluate(({ app }) => {
    const { promises } = process.getBuiltinModule('node:fs')
    const { rm } = promises
    const asked = new Promise<void>((resolve) => app.once('before-quit', () => setImmediate(resolve)))
    promises.rm = (...args) => asked.then(() => rm(...args))
    process.getBuiltinModule('node:module').syncBuiltinESMExports()
  })
  const { exited, said } = await watchEnd(app)
  const started = page.evaluate(() => window.galley.call('startListener', undefined)).catch(() => null)
  await expect.poll(() => status.textContent()).toContain('Starting')
  await quit(app)
  expect(await exited).toEqual([0, null])
  expect(said).toEqual([])
  await started
})

/** Answers system dialogs this way from now on, and returns all of them. */
async function answerBy(app: ElectronApplication, way: number): Promise<() => Promise<readonly string[]>> {
  await app.evaluate(({ dialog }, way) => {
    const asked: string[] = []
    Object.assign(globalThis, { asked })
    dialog.showMessageBox = (({ message, buttons }: { message: string; buttons: string[] }) => {
      asked.push(`${message} ${buttons.join(' / ')}`)
      return Promise.resolve({ response: way, checkboxChecked: false })
    }) as typeof dialog.showMessageBox
  }, way)
  return () => app.evaluate(() => Reflect.get(globalThis, 'asked') as string[])
}

/** Starts a restore that runs until the returned function is called: its backup is a pipe without a writer. */
async function restoreForLong({ app, page }: Awaited<ReturnType<typeof startApp>>): Promise<() => Promise<void>> {
  const folder = await aFolder()
  const pipe = join(folder, 'slow.galley-backup')
  execFileSync('mkfifo', [pipe])
  await answerDialogs(app, pipe, join(folder, 'restored'))
  const started = await page.evaluate(async () => {
    const backup = await window.galley.call('chooseBackup', undefined)
    const place = await window.galley.call('chooseRestoreFolder', undefined)
    return window.galley.call('startRestore', { backup: backup?.token ?? '', folder: place?.token ?? '' })
  })
  expect(started).toMatchObject({ ok: true })
  // For both ways, which waits for nobody, even if the restore should be over.
  return async () => (await open(pipe, 'r+')).close()
}

test('quitting from the app asks before it interrupts work, and a signal does not', async () => {
  const question = 'Still running: Restore Quit now / Keep running'
  const start = async () => startApp({ library: join(await aFolder(), 'library'), port: await aFreePort() })
  const started = await start()
  const { app, page, nativeWindow } = started
  await page.getByRole('status', { name: 'Listener' }).getByText('Listening').waitFor()
  const endRestore = await restoreForLong(started)
  const asked = await answerBy(app, 1)
  await quit(app)
  await expect.poll(asked).toEqual([question])

  // A window that leaves nothing behind in the tray is a quit too.
  await goToChecks(page)
  await page.getByRole('button', { name: 'Stop listener' }).click()
  await page.getByRole('status', { name: 'Listener' }).getByText('Stopped').waitFor()
  await nativeWindow.evaluate((shown) => void setImmediate(() => shown.close()))
  await expect.poll(asked).toEqual([question, question])
  expect(await windowsOf(app)()).toBe(1)
  expect(await page.evaluate(() => window.galley.call('listTasks', undefined))).toMatchObject([
    { kind: 'restore', end: { kind: 'running', isCancelling: false } },
  ])

  await answerBy(app, 0)
  const exited = once(app.process(), 'exit')
  await quit(app)
  await endRestore()
  expect(await exited).toEqual([0, null])

  const other = await start()
  await other.page.getByRole('status', { name: 'Listener' }).getByText('Listening').waitFor()
  const endOther = await restoreForLong(other)
  const { child, exited: otherExited, said } = await watchEnd(other.app)
  child.kill('SIGTERM')
  await expect.poll(windowsOf(other.app)).toBe(0)
  await endOther()
  expect(await otherExited).toEqual([0, null])
  expect(said).toEqual([])
})
