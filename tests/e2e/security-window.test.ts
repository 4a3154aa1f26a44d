import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { calls } from '../../src/ipc/calls.ts'
import { startService } from '../support/service.ts'
import { aSave, send } from '../support/test-galley.ts'
import { aFolder, aFreePort, expectListener, projectRoot, recordOpenedAddresses, startApp } from './support/app.ts'
import { atEnd, shared } from './support/at-end.ts'
import { answerDialogs, answerQuestions } from './support/dialogs.ts'

// Simulates an attacker who runs scripts in the window. Every attack uses the bridge.

interface Said {
  readonly ok?: boolean
  readonly value?: Readonly<Record<string, unknown>>
  readonly failure?: { readonly code: string }
  readonly refused?: string
}

const materialId = 'post-1'

const attacked = shared(async () => {
  const port = await aFreePort()
  const started = await startApp({ library: join(await aFolder(), 'library'), port })
  atEnd(started.close)
  await expectListener(started.page, 'Listening')
  return { ...started, port }
})

/**
 * The app with a site that a person has added anew, its service, another service that must never be contacted, and a folder
 * for files.
 */
async function anAttackedWindow() {
  const [service, evil, outside] = await Promise.all([startService(), startService(), aFolder()])
  onTestFinished(async () => {
    await Promise.all([service.close(), evil.close()])
  })
  const { app, page, port } = await attacked()
  const call = (name: string, input: unknown): Promise<Said> =>
    page.evaluate(
      ([name, input]) =>
        (window.galley.call as unknown as (name: string, input: unknown) => Promise<object | null>)(name, input).then(
          (answer) => answer ?? {},
          (error: unknown) => ({ refused: error instanceof Error ? error.message : 'refused' }),
        ),
      [name, input] as const,
    )
  const form = {
    id: 'acme',
    name: 'Acme',
    environment: 'dev',
    baseUrl: service.baseUrl,
    apiKey: service.apiKey,
    callbackUrl: `http://127.0.0.1:${port}/callback/acme`,
    publicUrl: null,
    allowedDomains: [],
    unknownMaterials: 'accept',
    callbackAuth: 'none',
    secret: null,
  }
  await answerQuestions(app, 'first button')
  await call('removeSite', { site: 'acme' })
  expect(await call('saveSite', { ...form, secret: service.secret })).toMatchObject({
    ok: true,
    value: { secret: 'stored', isConfirmed: true },
  })
  const site = async () => {
    const [found] = (await call('listSites', undefined)) as unknown as readonly Record<string, unknown>[]
    return found
  }
  return {
    app,
    page,
    service,
    evil,
    port,
    outside,
    call,
    form,
    site,
    openEditor: () => call('openEditor', { site: 'acme', materialId, title: null }),
    asked: await answerQuestions(app, 'return key'),
    openedAddresses: await recordOpenedAddresses(app),
    filesOutside: () => readdir(outside, { recursive: true }),
  }
}

test('a window cannot name a folder: backups, exports and media go only where a dialog of main was answered', async () => {
  const { app, call, form, site, outside, filesOutside, service, port } = await anAttackedWindow()
  const settings = () => call('readSettings', undefined)

  for (const backups of [{ folder: outside, everyDays: 1 }, { folder: outside }]) {
    expect((await call('changeSettings', { backups })).refused).toContain('cannot use this input')
  }
  expect(await settings()).toMatchObject({ backups: { folder: null, everyDays: 1 } })
  await answerDialogs(app)
  expect(await call('startBackup', { ask: false })).toMatchObject({ ok: true, value: null })

  for (const publish of [`folder:${outside}`, { folder: outside }, { folder: '../' }]) {
    const said = await call('saveSite', { ...form, publish })
    expect(said.refused ?? said.failure?.code).toMatch(/cannot use this input|path_not_chosen/)
  }
  expect(await site()).toMatchObject({ publish: { kind: 'listener' } })
  const save = aSave(service, { materialId })
  const answered = await send(`http://127.0.0.1:${port}/callback/acme`, 'POST', save.body, {
    'content-type': 'application/json',
    ...save.headers,
  })
  expect(answered.json.rc).toBe(1)

  const order = { site: 'acme', materials: [], pins: [], baseUrl: null, check: 'off' }
  const targets = [
    { kind: 'folder', path: join(outside, 'site') },
    { kind: 'folder', chosen: join(outside, 'site') },
    { kind: 'zip', again: join(outside, 'site.zip') },
  ]
  for (const target of targets) {
    for (const name of ['startExport', 'startExportPlan']) {
      const said = await call(name, { ...order, target })
      expect(said.refused ?? said.failure?.code, name).toMatch(/cannot use this input|path_not_chosen|unknown_export/)
    }
  }
  // A path that was chosen for one purpose cannot be used for another.
  await answerDialogs(app, join(outside, 'chosen'))
  const { token } = (await call('chooseExportTarget', { site: 'acme', kind: 'folder' })) as unknown as { token: string }
  expect(await call('saveSite', { ...form, publish: { folder: token } })).toMatchObject({
    failure: { code: 'path_not_chosen' },
  })
  expect(await call('startExport', { ...order, target: { kind: 'zip', chosen: token } })).toMatchObject({
    failure: { code: 'path_not_chosen' },
  })
  expect(await filesOutside()).toStrictEqual([])
})

test('a window cannot have the secret of a site used with another service', async () => {
  const { app, call, form, site, service, evil, openEditor, asked, openedAddresses } = await anAttackedWindow()
  const elsewhere = { ...form, baseUrl: evil.baseUrl }
  expect(await call('saveSite', elsewhere)).toMatchObject({ ok: false, failure: { code: 'not_confirmed' } })
  const [question] = await asked()
  expect(question).toMatchObject({ defaultId: 1, cancelId: 1 })
  expect(question?.buttons.at(1)).toBe('Cancel')
  expect(question?.detail).toContain(service.baseUrl)
  expect(question?.detail).toContain(evil.baseUrl)
  expect(await site()).toMatchObject({ baseUrl: service.baseUrl, secret: 'stored' })
  expect(await openEditor()).toMatchObject({ ok: true, value: { browser: 'shown' } })
  expect(service.opens).toHaveLength(1)

  // Even after confirmation, the new service gets nothing that was signed with the old secret.
  await answerQuestions(app, 'first button')
  expect(await call('saveSite', elsewhere)).toMatchObject({ ok: true, value: { secret: 'missing', isConfirmed: true } })
  expect(await openEditor()).toMatchObject({ failure: { code: 'secrets_unavailable', state: 'missing' } })
  expect(evil.opens).toHaveLength(0)
  expect(await openedAddresses()).toStrictEqual([`${service.origin}/editor/f-1`])
})

test('a window can neither open the listener to the network nor open an address of its own', async () => {
  const { app, call, service, openEditor, asked, openedAddresses } = await anAttackedWindow()
  expect(await call('changeSettings', { listener: { host: '0.0.0.0', port: null } })).toMatchObject({
    failure: { code: 'not_confirmed' },
  })
  const [question] = await asked()
  expect(question?.detail).toMatch(/127\.0\.0\.1.*0\.0\.0\.0/s)
  expect(await call('readSettings', undefined)).toMatchObject({ listener: { host: '127.0.0.1' } })

  const url = 'https://phish.example/editor'
  service.answerOpen({
    status: 200,
    body: JSON.stringify({ session_id: 's', fingerprint: 'f', url, resizeMode: 'fluid' }),
  })
  expect(await openEditor()).toMatchObject({ ok: true, value: { browser: 'declined' } })
  expect(await openedAddresses()).toStrictEqual([])
  const askedAgain = await answerQuestions(app, 'first button')
  expect(await openEditor()).toMatchObject({ ok: true, value: { browser: 'shown' } })
  expect(await openEditor()).toMatchObject({ ok: true, value: { browser: 'shown' } })
  expect((await askedAgain()).map(({ message }) => message)).toStrictEqual([
    expect.stringContaining('https://phish.example'),
  ])
  expect(await openedAddresses()).toStrictEqual([url, url])
})

test('only the page of the window is answered: no other page, frame or origin', async () => {
  const { app, page } = await anAttackedWindow()
  const names = Object.keys(calls)
  const heard = await app.evaluate(
    async ({ BrowserWindow, ipcMain, webContents }, { names, preload, ours }) => {
      const webPreferences = { preload, sandbox: true, contextIsolation: true }
      const ask = `Promise.all(${JSON.stringify(names)}.map((name) =>
        globalThis.galley.call(name, undefined).then(() => name + ' was answered', (error) => error.message)))`
      const stranger = async (url: string) => {
        const window = new BrowserWindow({ show: false, webPreferences })
        await window.loadURL(url).catch(() => undefined)
        const answers = (await window.webContents.executeJavaScript(ask)) as readonly string[]
        window.destroy()
        return answers
      }
      // What Electron would expose to a frame in our page. No frame has a bridge.
      type Handler = (event: unknown, name: string, input: unknown) => Promise<unknown>
      const { _invokeHandlers: handlers } = ipcMain as unknown as { _invokeHandlers: Map<string, Handler> }
      const sender = webContents.getAllWebContents().find((contents) => contents.getURL().split('#')[0] === ours)
      const from = (senderFrame: unknown) =>
        Promise.all(
          names.map(async (name) => {
            const call = handlers.get('galley:call') as Handler
            return call({ sender, senderFrame }, name, undefined).then(
              () => `${name} was answered`,
              (error: Error) => error.message,
            )
          }),
        )
      return {
        'a page of data': await stranger('data:text/html,x'),
        'an empty page': await stranger('about:blank'),
        'a review that main did not open': await stranger(`${ours}?review=%7B%22site%22%3A%22press%22%7D`),
        'our page with another query': await stranger(`${ours}?x`),
        'a frame in our page': await from({ url: ours }),
        'a frame that is gone': await from(null),
      }
    },
    { names, preload: join(projectRoot, 'out', 'preload', 'index.js'), ours: page.url().split('#')[0] ?? '' },
  )
  for (const [who, answers] of Object.entries(heard)) {
    expect(answers, who).toHaveLength(names.length)
    for (const answer of answers) expect(answer, who).toContain('Only the windows of Galley can make calls.')
  }
})

test('a call with an invalid name or input is refused, and reveals nothing internal', async () => {
  const { call } = await anAttackedWindow()
  const refused = async (name: string, input: unknown) => (await call(name, input)).refused
  expect(await refused('listSites', undefined)).toBeUndefined()
  for (const name of ['constructor', '__proto__', 'toString', '', 'readSecret']) {
    expect(await refused(name, undefined), name).toContain('Galley does not have this call.')
  }
  for (const [name, input] of [
    ['listSites', { all: true }],
    ['inspectVersion', { site: 'a', materialId: 'b' }],
    ['inspectVersion', { site: 1, materialId: 'b', versionId: 'c' }],
    ['findMaterial', { site: 'a'.repeat(201), materialId: 'b' }],
    ['inspectCallback', { id: 1 }],
    ['openEditor', { site: 'a', materialId: '', title: null }],
    ['saveSite', { id: 'a', secret: 'tell nobody' }],
    ['removeSite', { site: 'a', force: true }],
  ] as const) {
    const refusal = await refused(name, input)
    expect(refusal, name).toContain('Galley cannot use this input.')
    expect(refusal).not.toContain('tell nobody')
  }
})
