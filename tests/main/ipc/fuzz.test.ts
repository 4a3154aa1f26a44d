import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'

import { siteInputOf } from '../../../packages/library/records/site-input.ts'
import { callbackCalls } from '../../../src/ipc/callbacks.ts'
import { calls as everyCall } from '../../../src/ipc/calls.ts'
import { clipboardCalls } from '../../../src/ipc/clipboard.ts'
import { commentCalls } from '../../../src/ipc/comments.ts'
import { deskCalls } from '../../../src/ipc/desk.ts'
import { developerCalls } from '../../../src/ipc/developer.ts'
import { diagnosticsCalls } from '../../../src/ipc/diagnostics.ts'
import { editorCalls } from '../../../src/ipc/editor.ts'
import { exportCalls } from '../../../src/ipc/exports.ts'
import { fieldCalls } from '../../../src/ipc/fields.ts'
import { fontCalls } from '../../../src/ipc/fonts.ts'
import { healthCalls } from '../../../src/ipc/health.ts'
import { materialCalls } from '../../../src/ipc/materials.ts'
import { filmCalls, mediaCalls } from '../../../src/ipc/media.ts'
import { pageCalls } from '../../../src/ipc/pages.ts'
import { previewViewCalls } from '../../../src/ipc/preview-view.ts'
import { publishingCalls } from '../../../src/ipc/publishing.ts'
import { reviewQueueCalls } from '../../../src/ipc/review-queue.ts'
import { reviewWindowCalls } from '../../../src/ipc/review.ts'
import { ruleCalls } from '../../../src/ipc/rules.ts'
import { settingsCalls } from '../../../src/ipc/settings.ts'
import { shellCalls } from '../../../src/ipc/shell.ts'
import { siteCalls } from '../../../src/ipc/sites.ts'
import { taskCalls } from '../../../src/ipc/tasks.ts'
import { teamCalls } from '../../../src/ipc/team.ts'
import { themeCalls } from '../../../src/ipc/themes.ts'
import { updateCalls } from '../../../src/ipc/updates.ts'
import { versionFileCalls } from '../../../src/ipc/version-files.ts'
import { versionCalls } from '../../../src/ipc/versions.ts'
import { webhookCalls } from '../../../src/ipc/webhook.ts'
import { serve } from '../../../src/main/electron/serve.ts'
import { en } from '../../../src/texts/en.ts'
import { randomFrom } from '../../support/random.ts'
import { signatureOf } from '../../support/service.ts'
import { aFontsSave, aSave, createTestGalley, temporaryFolder } from '../../support/test-galley.ts'
import { testDesktop, testWindow } from '../../support/test-window.ts'
import { hostileInputs } from './support/hostile-inputs.ts'

/** The number of inputs per call: 200 by default, 10,000 in a long run. */
const rounds = Number(process.env['GALLEY_FUZZ_ROUNDS'] ?? 200)
const seed = Number(process.env['GALLEY_FUZZ_SEED'] ?? 1)

/** A call is done when it has carried out so many: what it carries out may take a second, and a refusal no time. */
const enough = Math.ceil(rounds / 10)

/** Everything that a window learns about an invalid input. */
const refusal = 'Galley cannot use this input.'

/** Through an open window, so that an error of a handler is reported as one. */
const anEvent = { sender: { isDestroyed: () => false } }

const problemCodes: ReadonlySet<string> = new Set(Object.keys(en.problems))

/** Calls that need a window of Electron: window-fuzz.test.ts has them. */
const {
  openReview,
  showPreview,
  placePreview,
  focusPreview,
  ignoredParts,
  partOfPage,
  lookAgain,
  filmFrame,
  deskPictures,
  showDeskPage,
  showDeskSide,
  findCommentSubject,
  goToDeskChange,
  goToDeskPlace,
  measureContrast,
  pinDeskComments,
  saveVersion,
  placeDesk,
  focusDesk,
  compareTexts,
  showHealth,
  openInEditor,
  exportVersion,
  leaveDesk,
  updateState,
  checkForUpdates,
  takeUpdate,
  skipUpdate,
  prepareVersionFile,
  dragVersionFile,
  siteShown,
  ...served
} = everyCall

/** Every other call, by subject: each subject has its own library. */
const subjects = [
  siteCalls,
  materialCalls,
  versionCalls,
  mediaCalls,
  editorCalls,
  callbackCalls,
  ruleCalls,
  reviewQueueCalls,
  commentCalls,
  fieldCalls,
  fontCalls,
  exportCalls,
  healthCalls,
  settingsCalls,
  clipboardCalls,
  developerCalls,
  diagnosticsCalls,
  taskCalls,
  pageCalls,
  themeCalls,
  publishingCalls,
  teamCalls,
  webhookCalls,
].map((calls) => Object.keys(calls))

test('every call is covered', () => {
  expect(subjects.flat().toSorted()).toEqual(Object.keys(served).toSorted())
  expect({
    openReview,
    showPreview,
    placePreview,
    focusPreview,
    ignoredParts,
    partOfPage,
    lookAgain,
    filmFrame,
    deskPictures,
    showDeskPage,
    showDeskSide,
    findCommentSubject,
    goToDeskChange,
    goToDeskPlace,
    measureContrast,
    pinDeskComments,
    saveVersion,
    placeDesk,
    focusDesk,
    compareTexts,
    showHealth,
    openInEditor,
    exportVersion,
    leaveDesk,
    updateState,
    checkForUpdates,
    takeUpdate,
    skipUpdate,
    prepareVersionFile,
    dragVersionFile,
    siteShown,
  }).toEqual({
    ...reviewWindowCalls,
    ...filmCalls,
    ...deskCalls,
    ...previewViewCalls,
    ...updateCalls,
    ...versionFileCalls,
    ...shellCalls,
  })
})

/**
 * A library with everything that a call may refer to, behind the window's input checks, and a person who answers dialogs at
 * random.
 */
async function attackedLibrary(random: () => number) {
  const root = await temporaryFolder()
  const [allowed, outside] = [join(root, 'allowed'), join(root, 'outside')]
  for (const folder of [allowed, outside]) await mkdir(folder)
  await writeFile(join(outside, 'kept.txt'), 'as it was')
  const { galley, service, know, post, lines } = await createTestGalley({
    edges: { folder: join(root, 'library') },
  })
  await know('post-1')
  for (const versionId of ['v1', 'v2']) {
    const save = aSave(service, { versionId })
    expect((await post(save.body, save.headers)).json.rc).toBe(1)
  }
  const files = { 'vms_fonts.css': '', 'vms_fonts.json': '[]', 'vms_fonts/a.woff2': 'a' }
  const fonts = aFontsSave(service, 'f1', files)
  expect((await post(fonts.body, fonts.headers)).json.rc).toBe(1)
  const acme = galley.index.sites.find('acme')
  if (!acme) throw new Error('The site is missing')
  const input = { ...siteInputOf(acme), callbackAuth: 'bearer' as const, requestTimeoutMs: 500 }
  const asBefore = JSON.stringify({ ...acme, ...input, publish: acme.publish })
  const putBack = async () => {
    if (JSON.stringify(galley.index.sites.find('acme')) !== asBefore) await galley.sites.save(input, service.secret)
  }
  await putBack()

  const places = [null, null, join(allowed, 'file'), join(allowed, 'folder'), join(allowed, 'new', 'file.json')]
  const choose = () => Promise.resolve(places[Math.floor(random() * places.length)] ?? null)
  const { desktop } = testDesktop()
  const { calls } = testWindow(galley, {
    desktop: {
      ...desktop,
      chooseFile: choose,
      chooseFolder: choose,
      chooseNewFile: choose,
      ask: () => Promise.resolve(random() < 0.5),
    },
    startListener: () => galley.listener.start('127.0.0.1', 0),
  })
  const credentials = await galley.secrets.callbackAuth({ id: acme.id, callbackAuth: 'bearer' })
  const secrets = [
    service.secret,
    credentials.ok ? (credentials.value?.user ?? '') : '',
    signatureOf(service.secret, 'post-1', input.callbackUrl),
    fonts.signature,
  ]
  return { galley, calls, lines, outside, secrets, putBack }
}

/** Existing names in the library, for members of inputs. */
async function knownValues({ galley, calls }: Awaited<ReturnType<typeof attackedLibrary>>) {
  const callbackIds = galley.index.callbacks.list({ site: null, outcome: null, limit: 10 }).map(({ id }) => id)
  const token = (await calls.chooseExportTarget({ site: 'acme', kind: 'folder' }))?.token
  return {
    site: ['acme'],
    sites: ['acme'],
    materialId: ['post-1'],
    materialIds: ['post-1'],
    materials: ['post-1'],
    versionId: ['v1', 'v2'],
    compareWith: ['v1'],
    snapshotId: ['f1'],
    before: ['f1'],
    after: ['f1'],
    id: ['acme', ...callbackIds],
    ids: callbackIds,
    ...(token !== undefined && { chosen: [token], folder: [token], file: [token] }),
    baseUrl: ['http://127.0.0.1:9/integration'],
    callbackUrl: ['http://127.0.0.1:9/callback/acme'],
    email: ['editor@acme.example'],
    since: ['2026-11-22T00:00:00.000Z'],
    from: ['2026-11-22T00:00:00.000Z'],
    to: ['2026-11-22T00:00:00.000Z'],
  }
}

const filesOf = async (folder: string) => {
  const names = await readdir(folder, { recursive: true })
  return [names, await readFile(join(folder, 'kept.txt'), 'utf8')]
}

/** The problem of an answer, or null. */
function faultOf(answer: unknown): string | null {
  structuredClone(answer)
  if (typeof answer !== 'object' || answer === null || !('ok' in answer)) return null
  if (answer.ok === true) return 'value' in answer ? null : 'a success without a value'
  const { failure } = answer as { failure?: { code?: unknown } }
  return typeof failure?.code === 'string' && problemCodes.has(failure.code) ? null : 'a failure without a code'
}

test.each(subjects)(
  '%s and the other calls of its subject answer any input in form, tell no secret, and write only where a dialog was',
  async (...names) => {
    const random = randomFrom(seed)
    const library = await attackedLibrary(random)
    const { galley, calls, lines: log, outside, secrets, putBack } = library
    let call = (_name: string, _input: unknown): Promise<unknown> => Promise.reject(new Error('not served'))
    serve({
      ipcMain: {
        handle: (_channel, listener) =>
          void (call = async (name, input) => listener(anEvent as Electron.IpcMainInvokeEvent, name, input) as unknown),
      },
      served: { calls: served, handlers: () => calls },
      isTrusted: () => true,
      log: (line) => log.push(line),
    })
    const before = await filesOf(outside)

    /** Whether the input passed the checks. */
    async function attack(name: string, input: unknown, where: string): Promise<boolean> {
      log.length = 0
      const [answer, error] = await call(name, input).then(
        (answer) => [answer, null] as const,
        (error: unknown) => [null, error instanceof Error ? error.message : String(error)] as const,
      )
      expect([null, refusal], where).toContain(error)
      expect(faultOf(answer), where).toBe(null)
      for (const task of galley.tasks.list()) {
        await galley.tasks.ended(task.id)
        const end = galley.tasks.find(task.id)?.end
        expect(end?.kind === 'failed' ? end.problem.code : null, where).not.toBe('unexpected')
        galley.tasks.dismiss(task.id)
      }
      const said = `${JSON.stringify(answer) ?? ''}\n${log.join('\n')}`
      for (const secret of secrets) expect(said.includes(secret), where).toBe(false)
      for (const line of log) expect(line, where).toMatch(/^[^\p{Cc}]{0,1000}$/u)
      await putBack()
      return error === null
    }

    for (const name of names) {
      const next = hostileInputs(served[name as keyof typeof served], await knownValues(library), outside, random)
      let taken = 0
      for (let round = 0; round < rounds && taken < enough; round += 1) {
        const input = next()
        taken += Number(
          await attack(
            name,
            input,
            `${name}, seed ${seed}, round ${round}: ${inspect(input, { depth: 4 }).slice(0, 300)}`,
          ),
        )
      }
      expect(taken, `${name} was never reached`).toBeGreaterThan(rounds / 40)
    }
    expect(await filesOf(outside)).toEqual(before)
    expect(({} as { polluted?: unknown }).polluted).toBe(undefined)
  },
)
