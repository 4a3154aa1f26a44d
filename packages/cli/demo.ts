import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryStore, sign } from '@galley/library'
import { siteDefaults } from '@galley/library/records'
import type { Site } from '@galley/library/records'
import { counted, httpClient } from '@galley/platform'
import type { DemoSave } from '@galley/service'
import { demoContent, loadEmulator } from '@galley/service'
import type { ExportJob } from '@galley/sites'
import { recordPublication, startPublication, themeSources } from '@galley/sites'
import type { MaterialId } from '@galley/wire'

import type { Context } from './command.ts'
import { CommandFailure, command } from './command.ts'
import { reportJson, runExport } from './export.ts'
import { openLibrary } from './open-library.ts'
import { UsageError, text } from './option.ts'
import type { LibraryPorts } from './ports.ts'

const site = 'demo'
const apiKey = 'demo-key'
const material = 'stories/harbour-weekend'

/** The result of a save, as seen by the emulator. */
interface Delivered {
  readonly result: 'merged' | 'rejected' | 'webhook_failed'
  readonly http_status: number | null
  readonly answer: { readonly rc?: number; readonly rm?: string } | null
  readonly version_id?: string
  readonly snapshot_id?: string
}

const options = {
  export: { ...text('DIR', 'a folder for the exported site, which stays', 'site'), default: 'a temporary one' },
  window: text(
    'JSON',
    'the command that starts the app, as npm run demo gives it, to show the result',
    `'["npm","start"]'`,
  ),
  screenshot: text('FILE', 'take a picture of that window, and end', 'window.png'),
}

export const demo = command({
  name: 'demo',
  summary: 'run everything once on this computer, with an emulator',
  detail: 'Opens a session, saves twice, saves fonts, has a save refused, and exports the site.',
  options,
  examples: ['--export site'],
  async run(context, { export: exportTo, window: given, screenshot }) {
    const window = windowCommand(given)
    const temporary = await mkdtemp(join(tmpdir(), 'galley-demo-library-'))
    const folder = context.isLibraryGiven ? context.libraryFolder : join(temporary, 'library')
    const secret = randomBytes(24).toString('base64url')
    const { createEmulator } = await loadEmulator()
    const emulator = await createEmulator({ port: 0, apiKey, apiSecret: secret, editorDir: context.line.editorFolder })
    try {
      const summary = await walkThrough(context, folder, emulator.baseUrl, emulator.url, secret, {
        folder: exportTo ?? join(temporary, 'export'),
        isKept: exportTo !== null,
      })
      if (window)
        await showWindow(context, window, { library: folder, port: summary.port, secret, picture: screenshot })
      return { json: summary.json, text: 'Done. The demo has stopped.' }
    } finally {
      await emulator.close()
      await rm(temporary, { recursive: true, force: true })
    }
  },
})

async function walkThrough(
  context: Context,
  folder: string,
  baseUrl: string,
  emulatorUrl: string,
  secret: string,
  { folder: folderOfExport, isKept }: { readonly folder: string; readonly isKept: boolean },
) {
  const print = (line: string) => context.log(line)
  const content = await demoContent(context.line.demoFolder)
  // In memory only: the demo must not write to the user's keychain.
  const galley = await openLibrary(context.line.createLibrary, {
    folder,
    secrets: createMemoryStore(),
    workerScript: context.line.workerScript,
    backgroundScript: context.line.backgroundScript,
    version: context.line.version,
    log: context.log,
  })
  try {
    const state = await galley.listener.start('127.0.0.1', 0)
    if (state.kind !== 'listening') throw new CommandFailure('cannot_listen', 'The demo could not start its listener.')
    print(`Service   the emulator runs at ${baseUrl}`)
    print(`Listener  ${state.url}`)
    const callbackUrl = `${state.url}/callback/${site}`
    const added = await addDemoSite(galley, baseUrl, callbackUrl, secret)
    const opened = await openDemo(galley)
    print(`Open      ${material}: ${opened.url}`)

    const save = async (fingerprint: string, what: DemoSave) =>
      post<Delivered>(`${emulatorUrl}/_emulator/sessions/${fingerprint}/save`, what)
    const first = expectMerged(await save(opened.fingerprint, content.first))
    print(`Save 1    ${first.answer?.rm ?? ''} (version ${first.version_id ?? ''})`)
    const second = expectMerged(await save(opened.fingerprint, content.second))
    print(`Save 2    ${second.answer?.rm ?? ''} (version ${second.version_id ?? ''})`)
    const fonts = expectMerged(
      await post<Delivered>(`${emulatorUrl}/_emulator/fonts`, {
        material_id: 'site-fonts',
        callback_url: callbackUrl,
        ...content.fonts,
      }),
    )
    print(`Fonts     ${fonts.answer?.rm ?? ''} (snapshot ${fonts.snapshot_id ?? ''})`)
    const unopened = await openAtService(baseUrl, callbackUrl, 'never-opened-here', secret)
    const refused = await save(unopened, content.first)
    print(`Blocked   ${refused.answer?.rm ?? ''}`)

    const { exported, source } = await exportDemo(context, galley, added, folderOfExport)
    print(
      `Export    ${counted(exported.files, 'file')}, ${exported.bytes} bytes${isKept ? ` in ${folderOfExport}` : ''}`,
    )
    return {
      port: Number(new URL(state.url).port),
      json: {
        site,
        material_id: material,
        versions: [first.version_id, second.version_id],
        snapshot_id: fonts.snapshot_id,
        refused: refused.answer?.rm ?? null,
        export: reportJson(exported, source),
      },
    }
  } finally {
    await galley.close()
  }
}

async function addDemoSite(
  { sites }: Pick<LibraryPorts, 'sites'>,
  baseUrl: string,
  callbackUrl: string,
  secret: string,
): Promise<Site> {
  const saved = await sites.save(
    {
      ...siteDefaults,
      id: site,
      name: 'Harbour Weekly',
      environment: 'dev',
      baseUrl,
      apiKey,
      callbackUrl,
      allowedDomains: [],
      downloadOrigins: [],
    },
    secret,
  )
  if (!saved.ok) throw new CommandFailure('demo_failed', 'The demo site could not be added.')
  return saved.value
}

async function exportDemo(
  context: Context,
  { index, vault, now }: Pick<LibraryPorts, 'index' | 'vault' | 'now'>,
  exportedSite: Site,
  directory: string,
) {
  const source = await startPublication(index, vault, exportedSite, { materials: [], pins: new Map(), at: now() })
  if (!source.ok) throw new CommandFailure('demo_failed', 'The demo has nothing to export.')
  const job: ExportJob = {
    source: source.value,
    target: { kind: 'folder', directory },
    options: { baseUrl: null, check: 'warn', themes: themeSources(context.line.themesFolder, 'default') },
  }
  const exported = await runExport(job, { out: directory })
  await recordPublication(index, exportedSite.id, source.value)
  return { exported, source: { ...source.value, baseUrl: null } }
}

async function openDemo({ sessions }: Pick<LibraryPorts, 'sessions'>) {
  const opened = await sessions.open({
    site,
    materialId: material,
    title: 'A weekend by the harbour',
    slug: 'harbour-weekend',
    metadata: null,
  })
  if (!opened.ok) throw new CommandFailure(opened.failure.code, 'The demo could not open its session.')
  return opened.value
}

/** Opens a session without Galley, like another program with the same key. Galley then rejects its saves. */
async function openAtService(
  baseUrl: string,
  callbackUrl: string,
  materialId: MaterialId,
  secret: string,
): Promise<string> {
  const body = { api_key: apiKey, callback_url: callbackUrl, material_id: materialId }
  const headers = { [siteDefaults.signatureHeader]: sign(materialId, callbackUrl, secret) }
  return (await post<{ fingerprint: string }>(`${baseUrl}/session/open`, body, headers)).fingerprint
}

async function post<Answer>(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const { request } = await httpClient()
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    // A short run: a keep-alive connection would delay its end.
    reset: true,
  })
  return (await answer.body.json()) as Answer
}

function expectMerged(delivered: Delivered): Delivered {
  if (delivered.result !== 'merged') {
    throw new CommandFailure(
      'demo_failed',
      `A save of the demo was not accepted: ${delivered.answer?.rm ?? delivered.result}`,
    )
  }
  return delivered
}

function windowCommand(json: string | null): readonly [string, ...string[]] | null {
  if (json === null) return null
  const parsed: unknown = JSON.parse(json)
  if (!Array.isArray(parsed) || !parsed.every((word) => typeof word === 'string') || parsed.length === 0) {
    throw new UsageError('--window must be a JSON array with the command that starts the app')
  }
  return parsed as [string, ...string[]]
}

interface Shown {
  readonly library: string
  readonly port: number
  readonly secret: string
  /** Where a picture is written; null: the window stays open. */
  readonly picture: string | null
}

/** Runs the app with the demo's library until it is closed. The emulator keeps running, so that its editor works. */
async function showWindow(
  context: Context,
  [command, ...args]: readonly [string, ...string[]],
  { library, port, secret, picture }: Shown,
): Promise<void> {
  context.log(picture === null ? 'Window    close it to end the demo' : 'Window    taking a screenshot')
  const app = spawn(
    command,
    [...args, '--library', library, '--port', String(port), ...(picture === null ? [] : ['--screenshot', picture])],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...context.environment, GALLEY_SECRETS: 'env', GALLEY_SECRET_DEMO: secret },
    },
  )
  const end = () => void app.kill('SIGTERM')
  context.interrupted.addEventListener('abort', end)
  // A screenshot takes a second; after a minute it has failed.
  const giveUp = picture === null ? null : setTimeout(end, 60_000)
  const [code] = (await once(app, 'exit')) as [number | null]
  if (giveUp) clearTimeout(giveUp)
  context.interrupted.removeEventListener('abort', end)
  if (code !== 0 && !context.interrupted.aborted)
    throw new CommandFailure('window_failed', 'The window could not be opened.')
  if (picture !== null) context.log(`Picture   ${picture}`)
}
