import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { callInputs } from '../../src/contract/ipc/calls.ts'
import { startService } from '../support/service.ts'
import { aSave, send } from '../support/test-galley.ts'
import { aFolder, aFreePort, expectListener, projectRoot, recordOpenedAddresses, startApp } from './support/app.ts'
import { answerDialogs, answerQuestions } from './support/dialogs.ts'

// Simulates an attacker who runs scripts in the window. Every attack uses the bridge.

interface Said {
  readonly ok?: boolean
  readonly value?: Readonly<Record<string, unknown>>
  readonly failure?: { readonly code: string }
  readonly refused?: string
}

const materialId = 'post-1'

/**
 * The app with a site that a person has added, its service, another service that must never be contacted, and a folder
 * for files.
 */
async function anAttackedWindow() {
  const [service, evil, port, outside] = await Promise.all([startService(), startService(), aFreePort(), aFolder()])
  onTestFinished(async () => {
    await Promise.all([service.close(), evil.close()])
  })
  const started = await startApp({ library: join(await aFolder(), 'library'), port })
  const { app, page } = started
  await expectListener(page, 'Listening')
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
  expect(await call('saveSite', { ...form, secret: service.secret })).toMatchObject({
    ok: true,
    value: { secret: 'stored', isConfirmed: true },
  })
  const site = async () => {
    const [found] = (await call('listSites', undefined)) as unknown as readonly Record<string, unknown>[]
    return found
  }
  return {
    ...started,
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
  const { app, call, form, site, outside, filesOutside, service, port, close } = await anAttackedWindow()
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
  await close()
}, 60_000)

test('a window cannot have the secret of a site used with another service', async () => {
  const { app, call, form, site, service, evil, openEditor, asked, openedAddresses, close } = await anAttackedWindow()
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
  expect(await openEditor()).toMatchObject({ failure: { code: 'secrets_unavailable', facts: { state: 'missing' } } })
  expect(evil.opens).toHaveLength(0)
  expect(await openedAddresses()).toStrictEqual([`${service.origin}/editor/f-1`])
  await close()
}, 60_000)

test('a window cannot have addresses of its own signed: URL, key and download addresses change only when a person agrees', async () => {
  const { call, form, site, service, openEditor, asked, close } = await anAttackedWindow()
  // Signed as a session, this would be the signature of a callback or of a download.
  const contentUrl = `${service.baseUrl}/download/media/11111111-2222-4333-8444-555555555555/v1`
  for (const change of [
    { callbackUrl: contentUrl },
    { apiKey: 'another-key' },
    { publicUrl: 'https://evil.example' },
    { downloadOrigins: ['https://evil.example'] },
    { publish: 's3:evil-bucket' },
  ]) {
    expect(await call('saveSite', { ...form, ...change }), JSON.stringify(change)).toMatchObject({
      failure: { code: 'not_confirmed' },
    })
  }
  expect((await asked()).map(({ detail }) => detail).join()).toMatch(/another-key.*evil\.example.*evil-bucket/s)
  expect(await site()).toMatchObject({
    callbackUrl: form.callbackUrl,
    apiKey: service.apiKey,
    publicUrl: null,
    downloadOrigins: [],
    publish: { kind: 'listener' },
  })
  // The boundary between id and URL is ambiguous: this id followed by the callback URL would be a download URL.
  const slid = await call('openEditor', { site: 'acme', materialId: `x:${contentUrl}`, title: null })
  expect(slid).toMatchObject({ failure: { code: 'invalid_material' } })
  expect(service.opens).toHaveLength(0)
  await openEditor()
  expect(service.opens).toHaveLength(1)
  await close()
}, 60_000)

test('a window can neither open the listener to the network nor open an address of its own', async () => {
  const { app, call, service, openEditor, asked, openedAddresses, close } = await anAttackedWindow()
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
  await close()
}, 60_000)

test('sites of a file are shown, use no stored secret, and nothing is signed for them until a person agrees', async () => {
  const { app, call, form, site, service, evil, outside, openEditor, filesOutside, close } = await anAttackedWindow()
  const file = join(await aFolder(), 'sites.json')
  const { secret: _, ...settings } = form
  const place = join(outside, 'web')
  await mkdir(place)
  const evilSite = { ...settings, baseUrl: evil.baseUrl, publish: `folder:${place}` }
  await writeFile(file, JSON.stringify({ format: 'galley-sites', version: 1, sites: [evilSite] }))
  await answerDialogs(app, file)
  const read = (await call('readSitesFile', undefined)) as unknown as {
    readonly value: { readonly token: string; readonly sites: readonly unknown[] }
  }
  expect(read.value.sites).toMatchObject([
    {
      id: 'acme',
      settings: { baseUrl: evil.baseUrl, callbackUrl: form.callbackUrl, publish: `folder:${place}` },
      replaces: { baseUrl: service.baseUrl, callbackUrl: form.callbackUrl, publish: 'listener' },
    },
  ])
  expect(await site(), 'nothing is written by looking').toMatchObject({ baseUrl: service.baseUrl, secret: 'stored' })
  expect(await call('importSites', { file, sites: ['acme'] })).toMatchObject({ failure: { code: 'path_not_chosen' } })

  expect(await call('importSites', { file: read.value.token, sites: ['acme'] })).toMatchObject({ ok: true })
  expect(await site()).toMatchObject({ baseUrl: evil.baseUrl, secret: 'missing', isConfirmed: false })
  // The window cannot confirm: neither by saving the same values again, nor under another name.
  expect(await call('saveSite', { ...form, baseUrl: evil.baseUrl, secret: 'typed' })).toMatchObject({
    failure: { code: 'not_confirmed' },
  })
  expect(await call('confirmSite', { site: 'acme' })).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(await openEditor()).toMatchObject({ failure: { code: 'site_unconfirmed' } })
  expect(await call('checkSite', { site: 'acme' })).toMatchObject({
    value: [{ code: 'site_unconfirmed', ok: false }, { name: 'disk' }],
  })
  expect([evil.opens.length, evil.downloads.length]).toStrictEqual([0, 0])
  expect(await filesOutside()).toStrictEqual(['web'])

  const asked = await answerQuestions(app, 'first button')
  expect(await call('confirmSite', { site: 'acme' })).toMatchObject({ ok: true, value: { isConfirmed: true } })
  const [question] = await asked()
  for (const value of [evil.baseUrl, form.callbackUrl, place]) expect(question?.detail).toContain(value)
  expect(await openEditor()).toMatchObject({ failure: { code: 'secrets_unavailable' } })
  await close()
}, 60_000)

test('only the page of the window is answered: no other page, frame or origin', async () => {
  const { app, page, close } = await anAttackedWindow()
  const names = Object.keys(callInputs)
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
        'another file of ours': await stranger(new URL('review/index.html', ours).href),
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
  await close()
}, 60_000)
