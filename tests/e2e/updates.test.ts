import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startFeedServer } from '../update/feed-server.ts'
import { aFeed, aKey } from '../update/releases.ts'
import { addSite } from './support/add-site.ts'
import { aFolder, aFreePort, expectListener, showAllChecks, goTo, startApp } from './support/app.ts'
import { axeFindings } from './support/axe.ts'
import { aPage, startEmulator } from './support/service.ts'
import { showSection } from './support/settings.ts'

// A package that was built with an address for updates, as the AppImage that it would be: a file stands in for that.

const { GALLEY_TEST_ELECTRON: twin = '' } = process.env
const key = aKey()
const bytes = Buffer.alloc(400_000, 'Galley 0.2.0 ')
const fileUrl = '/releases/Galley-0.2.0.AppImage'
let root: string
let server: Awaited<ReturnType<typeof startFeedServer>>

beforeAll(async () => {
  server = await startFeedServer()
  root = await mkdtemp(join(dirname(dirname(twin)), 'with-updates-'))
  execFileSync('cp', ['-al', dirname(twin), join(root, 'app')])
  const source = { feed: server.feed, keys: [key.shown, aKey().shown] }
  await writeFile(join(root, 'app', 'resources', 'updates.json'), JSON.stringify(source))
  process.env['GALLEY_TEST_ELECTRON'] = join(root, 'app', 'galley')
})

afterAll(async () => {
  process.env['GALLEY_TEST_ELECTRON'] = twin
  await server.close()
  await rm(root, { recursive: true })
})

async function start(profile: string, environment: Readonly<Record<string, string>> = {}, given?: number) {
  const port = given ?? (await aFreePort())
  const image = join(profile, 'Galley.AppImage')
  if (!existsSync(image)) await writeFile(image, 'Galley 0.1.0')
  const started = await startApp({
    library: join(profile, 'library'),
    profile,
    port,
    environment: { APPIMAGE: image, APPDIR: join(root, 'app'), ...environment },
  })
  return { ...started, image: () => readFile(image) }
}

const asked = () => server.requests.map(({ line }) => line)

test('a newer version is told of, refused while it is not what was signed, and installed at quit', async () => {
  server.answers.set('/releases/updates.json', aFeed(key.own, bytes))
  const changed = Buffer.from(bytes)
  changed[1000] = 0
  server.answers.set(fileUrl, changed)
  const profile = await aFolder()
  const { page, close, image } = await start(profile)
  await page.getByRole('button', { name: 'What’s new' }).click()
  const section = page.getByRole('region', { name: 'Settings' })
  await section.getByText('Faster exports').waitFor()
  expect(asked()).toEqual(['GET /releases/updates.json'])
  const take = section.getByRole('button', { name: 'Download, and install at quit' })
  await take.click()
  await section
    .getByText('Galley stays at version 0.1.0: the downloaded file is not the one that was signed.')
    .waitFor()
  server.answers.set(fileUrl, bytes)
  await take.click()
  await section.getByText('Version 0.2.0 is checked, and installed when you quit Galley.').waitFor()
  expect(await axeFindings(page)).toEqual([])
  expect((await image()).toString()).toBe('Galley 0.1.0')
  await close()
  expect((await image()).equals(bytes)).toBe(true)
  expect(existsSync(join(profile, '.galley-update'))).toBe(false)
})

test('a version can be skipped and checks turned off, and Settings, About and Delivery say how it stands', async () => {
  server.requests.length = 0
  server.answers.set('/releases/updates.json', aFeed(key.own, bytes, { version: '0.0.9' }))
  const profile = await aFolder()
  const first = await start(profile)
  const { page } = first
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('update')
  await page
    .getByRole('option', { name: /^Check for updates/ })
    .first()
    .click()
  const section = page.getByRole('region', { name: 'Settings' })
  await section
    .getByText('Galley stays at version 0.1.0: the update server offers version 0.0.9, which is older.')
    .waitFor()
  server.answers.set('/releases/updates.json', aFeed(key.own, bytes))
  await section.getByRole('button', { name: 'Check now' }).click()
  await section.getByRole('button', { name: 'Skip this version' }).click()
  await section.getByText('Version 0.2.0 is skipped.').waitFor()
  await section.getByRole('switch', { name: 'Check for updates once a day' }).click()
  await expect.poll(() => section.getByRole('switch', { name: 'Check for updates once a day' }).isChecked()).toBe(false)
  await first.close()
  expect((await first.image()).toString()).toBe('Galley 0.1.0')

  const before = asked().length
  const second = await start(profile, { GALLEY_NO_UPDATES: '1' })
  await goTo(second.page, 'Delivery')
  await showAllChecks(second.page)
  await second.page.getByRole('listitem', { name: 'Updates' }).getByText('Version 0.2.0 is skipped.').waitFor()
  await showSection(second.page, 'Startup and notifications')
  expect(await second.page.getByRole('button', { name: 'Check now' }).count()).toBe(0)
  expect(asked()).toHaveLength(before)
  await second.close()
})

test('a save that is under way at quit ends before the newer version is installed', async () => {
  server.answers.set('/releases/updates.json', aFeed(key.own, bytes))
  server.answers.set(fileUrl, bytes)
  const profile = await aFolder()
  const library = join(profile, 'library')
  const emulator = await startEmulator({ secret: 'press secret' })
  const port = await aFreePort()
  const callbackUrl = `http://127.0.0.1:${port}/callback/press`
  const environment = { GALLEY_SECRETS: 'env', GALLEY_SECRET_PRESS: emulator.secret }
  await addSite(library, environment, emulator, { id: 'press', name: 'Press', callbackUrl })
  const { app, page, image } = await start(profile, environment, port)
  await expectListener(page, 'Listening')
  await page.getByRole('button', { name: 'What’s new' }).click()
  await page.getByRole('button', { name: 'Download, and install at quit' }).click()
  await page.getByText('Version 0.2.0 is checked, and installed when you quit Galley.').waitFor()

  // What the library has at the moment when the file takes its place.
  const seen = join(profile, 'stored-before')
  await app.evaluate(
    (_electron, { image, log, seen }) => {
      const { promises, readdirSync, readFileSync, writeFileSync } = process.getBuiltinModule('node:fs')
      const { rename } = promises
      promises.rename = (from, to) => {
        if (to === image)
          writeFileSync(
            seen,
            readdirSync(log)
              .map((name) => readFileSync(`${log}/${name}`, 'utf8'))
              .join(''),
          )
        return rename(from, to)
      }
      process.getBuiltinModule('node:module').syncBuiltinESMExports()
    },
    { image: join(profile, 'Galley.AppImage'), log: join(library, 'log'), seen },
  )
  const { fingerprint } = await emulator.openPastGalley('post', callbackUrl)
  const faults = `${emulator.url}/_emulator/faults`
  await fetch(faults, { method: 'POST', body: JSON.stringify({ kind: 'slow_download', ms: 3_000 }) })
  const saved = emulator.save(fingerprint, aPage('The harbour'))
  // The download has begun.
  await expect.poll(async () => (await fetch(faults)).json()).toEqual([])
  const exited = once(app.process(), 'exit')
  await app.evaluate(({ app }) => void setImmediate(() => app.quit())).catch(() => null)
  expect(await saved).toMatchObject({ result: 'merged' })
  expect(await exited).toEqual([0, null])
  expect((await image()).equals(bytes)).toBe(true)
  expect(await readFile(seen, 'utf8')).toContain('"kind":"version_stored"')
})
