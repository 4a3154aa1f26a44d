import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import type { Page } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'

import { devDependencies } from '../../package.json'
import { fail } from '../../packages/wire/result.ts'
import { startListen } from '../cli/support/cli.ts'
import { addSite } from './support/add-site.ts'
import { aFolder, aFreePort, expectListener, goToChecks, startApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { disturbCalls } from './support/calls.ts'
import { answerDialogs, answerQuestions } from './support/dialogs.ts'
import { tabTo } from './support/keyboard.ts'
import { aPage, startEmulator } from './support/service.ts'
import { startTunnel } from './support/tunnel.ts'

const secret = 'secret of the quay'
const secretsAside = { GALLEY_SECRETS: 'env', GALLEY_SECRET_QUAY: secret }

/** A library with one site whose callbacks arrive at this address. */
async function aSite(port: number, origin = `http://127.0.0.1:${port}`) {
  const emulator = await startEmulator({ secret })
  const library = join(await aFolder(), 'library')
  const callbackUrl = `${origin}/callback/quay`
  await addSite(library, secretsAside, emulator, { id: 'quay', name: 'The Quay', callbackUrl })
  const { fingerprint } = await emulator.openPastGalley('stories/quay', callbackUrl)
  return { library, save: (heading: string) => emulator.save(fingerprint, aPage(heading)) }
}

const lineOf = (page: Page) => (name: string) => page.getByRole('listitem', { name, exact: true })

test('a problem that prevents saves is shown, and fixed by its button', async () => {
  const port = await aFreePort()
  const tunnel = await startTunnel(port)
  const { library, save } = await aSite(port, tunnel.url)
  const index = new BetterSqlite3(join(library, 'local.db'))
  onTestFinished(() => void index.close())
  const [from, to] = [new Date(Date.now() - 7_200_000).toISOString(), new Date().toISOString()]
  const asleep = [{ kind: 'asleep', from, to, pages: [] }]
  index.prepare('INSERT INTO setting (name, value) VALUES (?, ?)').run('sleep-gaps', JSON.stringify(asleep))
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { app, page, close } = await startApp({ library, port, environment: secretsAside })
  const line = lineOf(page)

  // Another program has the port.
  await expectListener(page, 'Not listening')
  await goToChecks(page)
  await line('Listener').getByText(`Another program uses port ${port}`).waitFor()
  await line('Listener').getByRole('button', { name: 'Change address' }).click()
  await page.getByRole('heading', { level: 2, name: 'Listener' }).waitFor()
  await page.keyboard.press('Alt+ArrowLeft')
  other.close()
  await once(other, 'close')
  await line('Listener').getByRole('button', { name: 'Start listener' }).click()
  await line('Listener').getByText(`Listening at http://127.0.0.1:${port}.`).waitFor()
  expect(await save('One')).toMatchObject({ result: 'merged' })

  // Stopped by hand.
  await line('Listener').getByRole('button', { name: 'Stop listener' }).click()
  await line('Listener').getByText('The listener is stopped').waitFor()
  expect(await save('Two')).toMatchObject({ result: 'webhook_failed' })
  await line('Listener').getByRole('button', { name: 'Start listener' }).click()
  await expectListener(page, 'Listening')
  expect(await save('Three')).toMatchObject({ result: 'merged' })

  // Another process has the library, until it ends.
  await line('Listener').getByRole('button', { name: 'Stop listener' }).click()
  await line('Listener').getByRole('button', { name: 'Start listener' }).waitFor()
  const served = await startListen(library, secretsAside, { args: ['--port', String(port)] })
  await line('Listener').getByRole('button', { name: 'Start listener' }).click()
  await line('Listener').getByText(`Process ${served.child.pid} receives saves`).waitFor()
  served.child.kill('SIGINT')
  await served.ended
  await expectListener(page, 'Listening')

  // The time asleep, once it is seen to.
  await line('Interruptions').getByText('This computer slept from').waitFor()
  await line('Interruptions').getByRole('button', { name: 'Dismiss' }).click()
  await line('Interruptions').waitFor({ state: 'detached' })

  // The tunnel fails: a refresh reports it, and the site can be corrected.
  await line('Callback URL').getByRole('button', { name: 'Test now' }).click()
  await line('Callback URL').getByText('Reached', { exact: true }).waitFor()
  await tunnel.breakDown()
  await page.keyboard.press('Control+r')
  await line('Callback URL').getByText('Unreachable', { exact: true }).waitFor()
  await line('Callback URL').getByRole('button', { name: 'Edit site' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit The Quay' })
  await dialog.getByLabel('Callback URL').fill(`http://127.0.0.1:${port}/callback/quay`)
  await answerQuestions(app, 'first button')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.waitFor({ state: 'detached' })
  // The results for the old URL say nothing about the new one.
  await line('Callback URL').getByText('Not tested', { exact: true }).waitFor()
  await line('Callback URL').getByRole('button', { name: 'Test now' }).click()
  await line('Callback URL').getByText('Reached', { exact: true }).waitFor()
  // A stopped listener is started for the test alone, whose result stays.
  await line('Listener').getByRole('button', { name: 'Stop listener' }).click()
  await line('Callback URL').getByText('Not tested', { exact: true }).waitFor()
  await line('Callback URL').getByRole('button', { name: 'Test now' }).click()
  await line('Callback URL').getByText('Reached', { exact: true }).waitFor()
  await line('Listener').getByRole('button', { name: 'Start listener' }).waitFor()
  await close()
})

/** Every stored file of a library, by its path. */
async function filesOf(library: string): Promise<readonly string[]> {
  const entries = await readdir(join(library, 'files'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Chooses what is restored and where; the system dialogs are answered with these paths. */
async function chooseRestore(page: Page, backup: string, folder: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Restore a backup' })
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await dialog.getByText('Choose a backup.', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Choose backup' }).click()
  await dialog.getByText(backup, { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Choose folder' }).click()
  await dialog.getByText(folder, { exact: true }).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

test('a library is backed up, cleaned, checked, repaired, and restored when it cannot be', async () => {
  const port = await aFreePort()
  const { library, save } = await aSite(port)
  const data = await aFolder()
  const environment = { ...secretsAside, XDG_DATA_HOME: data }
  const { app, page, close } = await startApp({ library, port, environment })
  const line = lineOf(page)
  await expectListener(page, 'Listening')
  expect(await save('The quay')).toMatchObject({ result: 'merged' })
  await goToChecks(page)
  const out = await aFolder()
  const backup = join(out, 'quay.galley-backup')
  const restored = join(out, 'restored')

  // No backup yet, and where automatic ones will go.
  await line('Backup').getByText('There is no backup yet').waitFor()
  await line('Backup').getByText(`Backs up automatically every day to ${library}-backups.`).waitFor()
  await answerDialogs(app, backup)
  await line('Backup').getByRole('button', { name: 'Back up now' }).click()
  await line('Backup').getByText('Up to date').waitFor()
  await line('Backup').getByText('1 version, verified').waitFor()
  expect((await readFile(backup)).subarray(0, 2).toString()).toBe('PK')

  // A file that no save brought, and that is older than a day.
  const stray = join(library, 'files', '0', hashOf(Buffer.from('stray')).replace(/^./, '0'))
  await writeFile(stray, 'stray')
  const before = new Date(Date.now() - 2 * 86_400_000)
  await utimes(stray, before, before)
  await line('Disk').getByRole('button', { name: 'Find unused files' }).click()
  await line('Disk').getByText('1 file (5 bytes) was never part of a save').waitFor()
  expect(existsSync(stray)).toBe(true)
  await line('Disk').getByRole('button', { name: 'Move 1 file to lost-and-found' }).click()
  await line('Disk').getByText('1 file was moved').waitFor()
  expect(existsSync(stray)).toBe(false)

  const files = await filesOf(library)

  // Damage that only a backup undoes.
  for (const file of files) await rm(file, { force: true })
  await line('Library check').getByRole('button', { name: 'Check library' }).click()
  await line('Library check').getByText('Needs a backup').first().waitFor()
  await line('Library check').getByRole('button', { name: 'Repair' }).click()
  await line('Library check').getByText('To get lost data back, restore a backup').waitFor()
  await answerDialogs(app, backup, restored)
  await line('Library check').getByRole('button', { name: 'Restore…' }).click()
  await chooseRestore(page, backup, restored)
  await line('Backup').getByText(`Restored to ${restored}`).waitFor()
  expect(await filesOf(restored)).toHaveLength(files.length)

  // Opens the restored library at the next start.
  await app.evaluate(({ app }) => {
    const { quit } = app
    app.quit = () => undefined
    app.relaunch = (options) => void Object.assign(globalThis, { quit, relaunchedWith: options?.args })
  })
  await line('Backup').getByRole('button', { name: 'Open restored library' }).click()
  const relaunchedWith = () => app.evaluate(() => Reflect.get(globalThis, 'relaunchedWith') as readonly string[])
  await expect.poll(relaunchedWith).toBeDefined()
  expect(await relaunchedWith()).not.toContain(library)
  await app.evaluate(({ app }) => void (app.quit = Reflect.get(globalThis, 'quit') as () => void))
  const signpost = await readFile(join(data, 'galley', 'library-is-elsewhere.json'), 'utf8')
  expect(JSON.parse(signpost)).toEqual({ folder: restored })
  await close()
})

test('by keyboard alone: the keychain tested, the library checked and backed up', async () => {
  const library = join(await aFolder(), 'library')
  // Nothing exists yet; a desktop session may start later than an app that starts with it.
  const bus = join(await aFolder(), 'bus')
  const environment = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` }
  const { app, page, close } = await startApp({ library, port: await aFreePort(), environment })
  const line = lineOf(page)
  const press = (key: string) => page.keyboard.press(key)
  await expectListener(page, 'Listening')
  await press('Control+5')
  // The runtime, and what it lacks: the protection of a package, security fixes.
  const { electron } = await app.evaluate(() => process.versions)
  await line('Runtime').getByText(`Electron ${electron} with Chromium `).waitFor()
  await line('Runtime').getByText('This is a development runtime: its security switches are off').waitFor()
  // The fallback is of a line that has ended, the one that is built for is not.
  const isUnsupported = Number.parseInt(electron, 10) <= Number.parseInt(devDependencies.electron, 10) - 3
  await line('Runtime')
    .getByText(isUnsupported ? 'Out of support' : 'Development', { exact: true })
    .waitFor()
  await expect
    .poll(() => line('Runtime').getByText('no longer gets security fixes').count())
    .toBe(isUnsupported ? 1 : 0)
  await line('Keychain').getByText('No keychain was found').waitFor()
  await symlink(/^unix:path=([^,]+)/.exec(process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '')?.[1] ?? '', bus)
  await tabTo(page, 'Test again')
  await press('Enter')
  await line('Keychain').getByText('Working').waitFor()
  await tabTo(page, 'Check library')
  await press('Enter')
  await line('Library check').getByText('No problems found').waitFor()
  const backup = join(await aFolder(), 'empty.galley-backup')
  await answerDialogs(app, backup)
  await press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
  await page.keyboard.type('Back up the library')
  await page.getByRole('option', { name: 'Back up the library' }).waitFor()
  await press('Enter')
  await line('Backup').getByText('Up to date').waitFor()
  expect(existsSync(backup)).toBe(true)
  await close()
})

test('a button that cannot do its work says so, what that means for the data, and what to do', async () => {
  const port = await aFreePort()
  const { library } = await aSite(port)
  const { app, page, close } = await startApp({ library, port, environment: secretsAside })
  const line = lineOf(page)
  await expectListener(page, 'Listening')
  const site = { id: 'quay', name: 'The Quay' }
  const at = new Date().toISOString()
  const over = {
    pauses: [{ site, reason: '', since: at }],
    sleepGaps: [{ kind: 'asleep' as const, from: at, to: at, pages: [] }],
    lastCheck: { at, isRepair: false, ok: false, files: 3, bytes: 300, problems: 1 },
  }
  const calmDown = await disturbCalls(app, {
    readHealth: { over },
    stopListener: 'fails',
    resumeSaves: 'fails',
    forgetSleepGaps: 'fails',
    openLibraryFolder: 'fails',

    checkSite: 'fails',
    startCollect: 'fails',
    startLibraryCheck: 'fails',
    startBackup: 'fails',
    startRestore: { answers: fail({ code: 'damaged_backup' }) },
  })
  await goToChecks(page)
  // What happened, the effect on the data, what to do.
  const told = /^Galley couldn’t finish this\. Stored versions are unchanged\. Try again/
  for (const [name, button, title] of [
    ['Listener', 'Stop listener', 'Couldn’t stop the listener'],
    ['Saves for The Quay', 'Resume saves', 'Couldn’t resume saves'],
    ['Interruptions', 'Dismiss', 'Couldn’t dismiss the interruptions'],
    ['Library', 'Open folder', 'Couldn’t open the folder'],
  ] as const) {
    await line(name).getByRole('button', { name: button }).click()
    const toast = page.locator('[data-toast]').filter({ hasText: title })
    await toast.getByText(told).waitFor()
    // Announced at once, and not hidden from keyboard users.
    await page.getByRole('alert').filter({ hasText: title }).waitFor({ state: 'attached' })
    await page.getByRole('alertdialog', { name: title }).getByRole('button', { name: 'Dismiss' }).waitFor()
    await expectAccessible(page)
    await toast.getByRole('button', { name: 'What does this mean?' }).click()
    await page.getByRole('dialog', { name: 'Help' }).getByRole('heading', { name: 'Everything else' }).waitFor()
    await page.keyboard.press('Escape')
    await toast.getByLabel('Dismiss').click()
    await toast.waitFor({ state: 'detached' })
  }
  for (const [name, button] of [
    ['Callback URL', 'Test now'],
    ['Disk', 'Find unused files'],
    ['Library check', 'Check library'],
    ['Backup', 'Back up now'],
  ] as const) {
    await line(name).getByRole('button', { name: button }).click()
    await line(name).getByText(told).waitFor()
    await line(name).getByRole('button', { name: 'What does this mean?' }).last().waitFor()
  }
  await line('Backup').getByRole('button', { name: 'Restore…' }).click()
  await answerDialogs(app, '/nowhere/a.galley-backup', '/nowhere/library')
  await chooseRestore(page, '/nowhere/a.galley-backup', '/nowhere/library')
  await line('Backup').getByText('This backup is damaged. Nothing was restored').waitFor()
  await calmDown()

  // A listener that does not start; the window shows the one that stopped.
  await line('Listener').getByRole('button', { name: 'Stop listener' }).click()
  await line('Listener').getByRole('button', { name: 'Start listener' }).waitFor()
  const calmAgain = await disturbCalls(app, { startListener: 'fails' })
  await line('Listener').getByRole('button', { name: 'Start listener' }).click()
  await page.locator('[data-toast]').filter({ hasText: 'Couldn’t start the listener' }).getByText(told).waitFor()
  await calmAgain()
  await close()
})
