import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'

import type { CallTable, HandlersOf } from '../../../src/ipc/call.ts'
import { deskCalls } from '../../../src/ipc/desk.ts'
import { previewViewCalls } from '../../../src/ipc/preview-view.ts'
import { reviewCallsFor, reviewWindowCalls } from '../../../src/ipc/review.ts'
import type { ReviewCalls } from '../../../src/ipc/review.ts'
import { versionFileCalls } from '../../../src/ipc/version-files.ts'
import { serve } from '../../../src/main/electron/serve.ts'
import { createReviews } from '../../../src/main/review-window/reviews.ts'
import { createVersionFiles } from '../../../src/main/review/version-files.ts'
import { createDragOut } from '../../../src/main/shell/drag-out.ts'
import { createPreviewView } from '../../../src/main/shell/preview-view.ts'
import { randomFrom } from '../../support/random.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'
import { testWindow } from '../../support/test-window.ts'
import { hostileInputs } from './support/hostile-inputs.ts'

/** The number of inputs per call: 200 by default, 10,000 in a long run. */
const rounds = Number(process.env['GALLEY_FUZZ_ROUNDS'] ?? 200)
const seed = Number(process.env['GALLEY_FUZZ_SEED'] ?? 1)

/** Everything that a window learns about an invalid input. */
const refusal = 'Galley cannot use this input.'

const previewUrl = 'http://127.0.0.1:4711/'
const framePage = 'app://galley/renderer/index.html'

/** What the stubs of Electron were asked to do. */
const asked = vi.hoisted(() => ({
  urls: [] as string[],
  bounds: [] as unknown[],
  dragged: [] as string[],
  windows: [] as { close(): void }[],
}))

/** A part of Electron: it knows these members, and every other one is a function that does nothing. */
const part = vi.hoisted(() => {
  const nothing = (): undefined => undefined
  return <Known extends object>(known: Known): Known =>
    new Proxy(known, {
      get: (target, name) => (name === 'then' ? undefined : ((Reflect.get(target, name) as unknown) ?? nothing)),
    })
})

// Electron is not our code, and is not there in a unit test.
// oxlint-disable-next-line vitest/no-restricted-vi-methods
vi.mock('electron', () => {
  const contents = () => {
    const events = new EventEmitter()
    return part(
      Object.assign(events, {
        ipc: part({}),
        isDestroyed: () => false,
        isCrashed: () => false,
        isFocused: () => true,
        mainFrame: { framesInSubtree: [] },
        getURL: () => '',
        startDrag: ({ file }: { readonly file: string }) => asked.dragged.push(file),
        getZoomFactor: () => 1.25,
        getZoomLevel: () => 0,
        close: () => events.emit('destroyed'),
        async loadURL(url: string) {
          asked.urls.push(url)
          events.emit('did-navigate', {}, url)
        },
      }),
    )
  }
  class WebContentsView {
    webContents = contents()
    setBackgroundColor = () => undefined
    setVisible = () => undefined
    setBounds = (bounds: unknown) => asked.bounds.push(bounds)
  }
  function BrowserWindow() {
    const events = new EventEmitter()
    const window = part(
      Object.assign(events, {
        webContents: contents(),
        contentView: part({ children: [] }),
        isDestroyed: () => false,
        close: () => events.emit('closed'),
      }),
    )
    asked.windows.push(window)
    return window
  }
  const session = { fromPartition: () => part({ protocol: part({}), webRequest: part({}) }) }
  const nativeImage = { createFromPath: () => ({ resize: () => ({}) }) }
  return { WebContentsView, BrowserWindow, session, app: { getAppMetrics: () => [] }, nativeTheme: {}, nativeImage }
})

afterEach(() => {
  for (const window of asked.windows.splice(0)) window.close()
})

/** A library with two versions of one material, and one of another. */
async function aLibrary() {
  const { galley, service, know, post, lines } = await createTestGalley()
  for (const [materialId, versionId] of [
    ['post-1', 'v1'],
    ['post-1', 'v2'],
    ['post-2', 'other'],
  ] as const) {
    await know(materialId)
    const save = aSave(service, { materialId, versionId })
    expect((await post(save.body, save.headers)).json.rc).toBe(1)
  }
  return { galley, lines, secret: service.secret }
}

const known = {
  site: ['acme'],
  // Most inputs are about the first one.
  materialId: ['post-1', 'post-1', 'post-1', 'post-2'],
  address: ['', 'about', 'a/b', '/', '//host.invalid', '\uD800'],
  versionId: ['v1', 'v2'],
  compareWith: ['v1'],
  thread: ['0190b5f8-3c1e-4f4b-8d0a-2f6f5a1c9b7e'],
  before: ['v1', 'v2'],
  after: ['v1', 'v2'],
  sha256: ['0'.repeat(64)],
}

/** Sends hostile inputs to each call, and looks at everything after each of them. */
async function attack<Table extends CallTable>(
  { lines, secret }: Awaited<ReturnType<typeof aLibrary>>,
  calls: Table,
  handlers: HandlersOf<Table>,
  look: (where: string) => void,
): Promise<void> {
  const random = randomFrom(seed)
  let call = (_name: string, _input: unknown): Promise<unknown> => Promise.reject(new Error('not served'))
  serve({
    ipcMain: {
      handle: (_channel, listener) =>
        void (call = async (name, input) => listener({} as Electron.IpcMainInvokeEvent, name, input) as unknown),
    },
    served: { calls, handlers: () => handlers },
    isTrusted: () => true,
    log: (line) => lines.push(line),
  })
  for (const [name, schema] of Object.entries(calls)) {
    const next = hostileInputs(schema, known, '/outside', random)
    let taken = 0
    for (let round = 0; round < rounds; round += 1) {
      const input = next()
      const where = `${name}, seed ${seed}, round ${round}: ${inspect(input, { depth: 4 }).slice(0, 300)}`
      lines.length = 0
      const [answer, error] = await call(name, input).then(
        (answer) => [answer, null] as const,
        (error: unknown) => [null, error instanceof Error ? error.message : String(error)] as const,
      )
      expect([null, refusal], where).toContain(error)
      structuredClone(answer)
      expect(`${JSON.stringify(answer) ?? ''}\n${lines.join('\n')}`.includes(secret), where).toBe(false)
      for (const line of lines) expect(line, where).toMatch(/^[^\p{Cc}]{0,1000}$/u)
      look(where)
      taken += Number(error === null)
    }
    expect(taken, `${name} was never reached`).toBeGreaterThan(rounds / 25)
  }
  expect(({} as { polluted?: unknown }).polluted).toBe(undefined)
}

test('the calls of a review window answer any input in form, and reach no other material', async () => {
  const library = await aLibrary()
  const { calls } = testWindow(library.galley)
  const reviews = await someReviews(library)
  const taken: unknown[] = []
  const reported = { reportFault: () => null }
  const all: Readonly<Record<string, (input: never) => unknown>> = { ...calls, ...reviews.deskHandlers, ...reported }
  const calledHere = reviewCallsFor({ site: 'acme', materialId: 'post-1' })
  // Each handler with what it was given.
  const handlers = Object.fromEntries(
    Object.keys(calledHere).map((name) => [
      name,
      (input: never) => {
        taken.push(input)
        return all[name]?.(input)
      },
    ]),
  ) as unknown as HandlersOf<ReviewCalls>
  await attack(library, calledHere, handlers, (where) => {
    for (const bounds of asked.bounds.splice(0)) expect(isPlace(bounds), where).toBe(true)
    for (const input of taken.splice(0))
      expect(JSON.stringify(input) ?? '', where).not.toMatch(/"(?:site|materialId)":"(?!acme"|post-1")/)
    expect(library.galley.index.versionList.verdicts('acme', 'post-2').size, where).toBe(0)
  })
  reviews.stop()
})

const filesOf = (ports: Pick<Parameters<typeof createVersionFiles>[0], 'index' | 'vault'>) =>
  createVersionFiles({ ...ports, named: (title, number) => `${title}, version ${number}` })

async function someReviews({ galley, lines }: Awaited<ReturnType<typeof aLibrary>>) {
  const { index, vault, background, folder, reviewing, changes } = galley
  const { BrowserWindow } = await import('electron')
  return createReviews({
    index,
    vault,
    reviewing,
    changes,
    background,
    folder,
    themesFolder: join(import.meta.dirname, '../../../resources/themes'),
    now: () => new Date(),
    window: new BrowserWindow(),
    whenIdle: () => Promise.resolve(),
    frame: { page: framePage, preload: '', isTrusted: () => () => true, watch: () => undefined, devTools: false },
    answers: () => {
      throw new Error('No call of a window is made here')
    },
    showHealth: () => undefined,
    openInEditor: () => undefined,
    exportVersion: () => undefined,
    versionFiles: filesOf({ index, vault }),
    chooseNewFile: () => Promise.resolve(null),
    log: (line) => lines.push(line),
    logFault: () => null,
  })
}

test('the calls that open windows and views answer any input in form, and load nothing else', async () => {
  const library = await aLibrary()
  const reviews = await someReviews(library)
  const { BrowserWindow } = await import('electron')
  const view = createPreviewView({
    window: new BrowserWindow(),
    previews: {
      of: (site) => (site === 'acme' ? { url: previewUrl, problem: null } : null),
      onChange: () => () => undefined,
    },
    push: () => undefined,
  })
  const files = filesOf(library.galley)
  const dragOut = createDragOut(new BrowserWindow(), files, '')
  const calls = { ...reviewWindowCalls, ...deskCalls, ...previewViewCalls, ...versionFileCalls }
  const loaded = new Set<string>()
  let drags = 0
  const handlers = { openReview: reviews.open, ...reviews.deskHandlers, ...view.handlers, ...dragOut }
  await attack(library, calls, handlers, (where) => {
    for (const bounds of asked.bounds.splice(0)) expect(isPlace(bounds), where).toBe(true)
    for (const url of asked.urls.splice(0)) {
      expect(
        url.startsWith(`${framePage}?review=`) || url.startsWith(previewUrl) || url.startsWith('galley-review://'),
        `${url} at ${where}`,
      ).toBe(true)
      loaded.add(url.replace(/\?review=.*/, ''))
    }
    for (const path of asked.dragged.splice(0)) {
      expect(path, where).toMatch(/^[^\n]+\/galley-files-\w+\/\d+\/[^/]+\.(?:html|zip)$/)
      drags += 1
    }
    for (const window of asked.windows.splice(2)) window.close()
  })
  expect([...loaded]).toEqual(expect.arrayContaining([framePage, previewUrl, `${previewUrl}about/`]))
  expect(drags).toBeGreaterThan(0)
  view.stop()
  reviews.stop()
  files.stop()
})

/** Whether this is a place in a window, in whole pixels. */
const isPlace = (bounds: unknown): boolean =>
  typeof bounds === 'object' &&
  bounds !== null &&
  Object.values(bounds).every((px) => Number.isInteger(px) && px >= 0 && px <= 25_000)
