import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { kitBaseUrl } from '../../../../src/ipc/developer.ts'
import { createEmulators } from '../../../../src/main/try-it/emulators.ts'
import { createTryIt } from '../../../../src/main/try-it/try-it.ts'
import { aFreePort } from '../../../support/free-port.ts'
import { createTestGalley, temporaryFolder } from '../../../support/test-galley.ts'
import { testWindow } from '../../../support/test-window.ts'

/** A library whose site downloads from a free port of this computer, and a window with real emulators. */
async function setUp() {
  const port = await aFreePort()
  const baseUrl = `http://127.0.0.1:${port}/integration`
  const made = await createTestGalley({ site: { baseUrl, unknownMaterials: 'accept' } })
  const folder = await temporaryFolder()
  const edges = { ...made.galley, editorFolder: folder, log: (line: string) => void made.lines.push(line) }
  const tryIt = createTryIt({
    ...edges,
    startListener: () => Promise.resolve(made.galley.listener.state()),
    demoFolder: join(import.meta.dirname, '../../../../resources/demo'),
    onState: () => undefined,
  })
  const emulators = createEmulators({ ...edges, tryIt })
  onTestFinished(async () => {
    await emulators.close()
    await tryIt.close()
  })
  return { ...made, ...testWindow(made.galley, { emulators, tryIt }), baseUrl, port, folder }
}

/** Opens a material at the service of a site, and saves it there. */
async function aSaveOf({ galley }: Awaited<ReturnType<typeof setUp>>, site: string, materialId: string) {
  const opened = await galley.sessions.open({ site, materialId, title: null, slug: null, metadata: null })
  if (!opened.ok) throw new Error(opened.failure.code)
  const { url, fingerprint } = opened.value
  const saved = await fetch(new URL(`/_emulator/sessions/${fingerprint}/save`, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ html: '<p>One</p>', state: { assets: {} }, files: {}, user_email: 'ida@acme.example' }),
  })
  return (await saved.json()) as { readonly result: string; readonly message?: string }
}

test('the emulator of a site is at its service URL, and a fault that is ordered happens to its next save', async () => {
  const fixture = await setUp()
  const { calls, baseUrl, port, opened } = fixture
  const site = 'acme'
  expect(await calls.readEmulator({ site })).toBeNull()
  const state = { url: `http://127.0.0.1:${port}`, baseUrl, apiKey: fixture.service.apiKey, faults: [] }
  expect(await Promise.all([calls.startEmulator({ site }), calls.startEmulator({ site })])).toEqual(
    Array.from({ length: 2 }, () => ({ ok: true, value: state })),
  )
  await calls.openEmulator({ site })
  expect(opened).toEqual([state.url])

  await calls.orderFault({ site, kind: 'wrong_signature' })
  expect(await calls.readEmulator({ site })).toMatchObject({ faults: [{ kind: 'wrong_signature', times: 1 }] })
  expect(await aSaveOf(fixture, site, 'post-1')).not.toMatchObject({ result: 'merged' })
  expect(await calls.readEmulator({ site })).toEqual(state)
  expect(await aSaveOf(fixture, site, 'post-1')).toMatchObject({ result: 'merged' })

  await calls.orderFault({ site, kind: 'drop' })
  await calls.clearFaults({ site })
  expect(await calls.readEmulator({ site })).toEqual(state)
  await calls.stopEmulator({ site })
  expect(await calls.readEmulator({ site })).toBeNull()
  await expect(fetch(state.url)).rejects.toThrow()
})

test('a removed site has no emulator any more', async () => {
  const { calls, agreed, port } = await setUp()
  await calls.startEmulator({ site: 'acme' })
  agreed.push(true)
  expect(await calls.removeSite({ site: 'acme' })).toMatchObject({ ok: true })
  await expect.poll(() => fetch(`http://127.0.0.1:${port}`).catch(() => 'gone')).toBe('gone')
})

test('no emulator starts without a secret, for addresses that nobody confirmed, or at a port in use', async () => {
  const { galley, calls, service, changeSite } = await setUp()
  const site = galley.index.sites.find('acme')!
  changeSite({ baseUrl: service.baseUrl })
  const port = Number(new URL(service.baseUrl).port)
  expect(await calls.startEmulator({ site: 'acme' })).toEqual({
    ok: false,
    failure: { code: 'emulator_failed', port, reason: 'EADDRINUSE' },
  })
  galley.index.sites.put({ ...site, baseUrl: 'https://elsewhere.example/integration' })
  expect(await calls.startEmulator({ site: 'acme' })).toMatchObject({ failure: { code: 'site_unconfirmed' } })
  changeSite({ baseUrl: site.baseUrl })
  await galley.secrets.writer?.remove('acme', 'all')
  expect(await calls.startEmulator({ site: 'acme' })).toMatchObject({ failure: { code: 'secrets_unavailable' } })
  expect(await calls.startEmulator({ site: 'nobody' })).toMatchObject({ failure: { code: 'unknown_site' } })
})

test('the faults of the sample act on the emulator that it has', async () => {
  const fixture = await setUp()
  const { calls, galley } = fixture
  const site = 'galley-demo'
  const started = await calls.startTryIt(undefined)
  const shown = await calls.readEmulator({ site })
  expect(started).toMatchObject({ ok: true, value: { url: shown?.url } })
  // Its listener also loads the archives of the kit.
  expect(galley.index.sites.find(site)).toMatchObject({
    baseUrl: shown?.baseUrl,
    downloadOrigins: [new URL(kitBaseUrl).origin],
  })
  await calls.orderFault({ site, kind: 'drop' })
  expect(await aSaveOf(fixture, site, 'stories/ferry-times')).not.toMatchObject({ result: 'merged' })
  await calls.stopEmulator({ site })
  expect(await calls.readEmulator({ site })).toBeNull()
  expect(await calls.startEmulator({ site })).toMatchObject({ ok: true, value: { faults: [] } })
})

const everyCase = { backend: null, materials: ['post-1'], themes: null } as const

test('the kit runs against the listener of the site with its secret, and its report is saved in each form', async () => {
  const { galley, calls, service, baseUrl, agreed, asked, chosen, folder } = await setUp()
  const ownRun = { ...everyCase, site: 'acme', baseUrl, materials: ['post-1'], themes: ['Signature'] }
  expect(await calls.readKitReport({ site: 'acme' })).toBeNull()
  // Nobody agrees.
  expect(await calls.startKit(ownRun)).toMatchObject({ failure: { code: 'not_confirmed' } })
  expect(asked.at(-1)?.detail).toContain(galley.index.sites.find('acme')?.callbackUrl)

  agreed.push(true)
  const started = await calls.startKit(ownRun)
  if (!started.ok) throw new Error(started.failure.code)
  await galley.tasks.ended(started.value.task)
  const task = galley.tasks.find(started.value.task)
  const report = await calls.readKitReport({ site: 'acme' })
  expect(report).toMatchObject({ isPassing: true, cutShort: null })
  const ids = report?.outcomes.map((outcome) => outcome.case.id)
  expect(ids).toContain('signature-wrong')
  expect(ids).not.toContain('save-accepted')
  expect(task?.end).toEqual({ kind: 'done', result: { passed: ids?.length, failed: 0, unchecked: 0, skipped: 0 } })
  expect(report?.stored).not.toEqual([])
  expect(JSON.stringify(report)).not.toContain(service.secret)

  for (const format of ['text', 'json', 'junit'] as const) {
    const file = join(folder, format)
    chosen.push(file)
    expect(await calls.saveKitReport({ site: 'acme', format })).toEqual({ ok: true, value: file })
  }
  const saved = await Promise.all(['text', 'json', 'junit'].map((name) => readFile(join(folder, name), 'utf8')))
  expect(saved[0]).toContain(`${ids?.length} passed, 0 failed`)
  expect(JSON.parse(saved[1] ?? '')).toMatchObject({ passed: ids?.length, failed: 0 })
  expect(saved[2]).toContain('<testsuites name="galley conformance">')
})

test('a run that is cancelled keeps what it found, and says that it is a part', async () => {
  const { galley, calls, baseUrl, agreed } = await setUp()
  agreed.push(true)
  const started = await calls.startKit({ ...everyCase, site: 'acme', baseUrl, materials: ['post-1'] })
  if (!started.ok) throw new Error(started.failure.code)
  const { task: id } = started.value
  galley.tasks.onChange(({ progress, end }) => {
    if (progress !== null && end.kind === 'running' && !end.isCancelling) galley.tasks.cancel(id)
  })
  await galley.tasks.ended(id)
  expect(galley.tasks.find(id)?.end).toEqual({ kind: 'cancelled' })
  const report = await calls.readKitReport({ site: 'acme' })
  expect(report).toMatchObject({ isPassing: false, cutShort: 'The run was interrupted.' })
  expect(report?.outcomes.filter(({ result }) => result === 'passed').length).toBeGreaterThan(0)
})

test('a backend that is not there, and a port that is taken, are told apart', async () => {
  const { galley, calls, service, baseUrl, agreed } = await setUp()
  const backend = {
    callbackUrl: `http://127.0.0.1:${await aFreePort()}/callback`,
    apiKey: 'key',
    secret: 'a-secret',
    auth: null,
  }
  const endOf = async (run: { readonly baseUrl: string }) => {
    agreed.push(true)
    const started = await calls.startKit({ ...everyCase, site: 'acme', materials: ['post-1'], backend, ...run })
    if (!started.ok) throw new Error(started.failure.code)
    await galley.tasks.ended(started.value.task)
    return galley.tasks.find(started.value.task)?.end
  }
  const gone = { code: 'kit_not_run', state: 'unreachable', url: backend.callbackUrl }
  expect(await endOf({ baseUrl })).toEqual({ kind: 'failed', problem: gone })
  const taken = { code: 'kit_not_run', url: service.baseUrl }
  expect(await endOf({ baseUrl: service.baseUrl })).toEqual({ kind: 'failed', problem: taken })
})
