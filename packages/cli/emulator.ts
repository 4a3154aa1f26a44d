import { once } from 'node:events'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { allowedDomain, signatureHeader } from '@galley/library/records'
import { makeFolder } from '@galley/platform'
import type { EndedCallback, SiteSetup } from '@galley/service'
import { loadEmulator, parseMoment } from '@galley/service'

import type { Command, Context } from './command.ts'
import { CommandFailure, UsageError, flag, secretFrom, text, texts, valid, wholeNumber } from './command.ts'
import { readSites } from './emulator-sites.ts'
import { printable } from './table.ts'

/** The default secret of an emulator. It is public, so it is only for trying out. */
const wellKnownSecret = 'emulator-secret'

/** Options for the site of --api-key. They are invalid if there is only --sites. */
const keyOptions = ['secret-stdin', 'signature-header', 'allowed-domain']

export const emulator: Command = {
  name: 'emulator',
  usage:
    '[--port N] [--host H] [--allow-host NAME]... [--api-key K] [--secret-stdin] [--data DIR] [--signature-header H] [--allowed-domain D]... [--sites FILE] [--now ISO]',
  summary: `run a local service emulator; without --secret-stdin its secret is ${wellKnownSecret}`,
  positionals: [],
  options: {
    port: { type: 'string' },
    host: { type: 'string' },
    'allow-host': { type: 'string', multiple: true },
    'api-key': { type: 'string' },
    'secret-stdin': { type: 'boolean' },
    data: { type: 'string' },
    'signature-header': { type: 'string' },
    'allowed-domain': { type: 'string', multiple: true },
    sites: { type: 'string' },
    now: { type: 'string' },
  },
  async run(context) {
    // A larger young generation would only keep more archives in memory before they are collected.
    setFlagsFromString('--semi-space-growth-factor=1')
    const clock = clockFrom(text(context, 'now'))
    const [first, ...moreSites] = await sitesOf(context)
    const folder = text(context, 'data')
    if (folder !== null) await makeFolder(folder, 0o700)
    // Imported here, because it loads the HTTP client and adm-zip. That takes a tenth of a second, and most commands need neither.
    const { createEmulator } = await loadEmulator()
    const host = text(context, 'host')
    // A person started it for these sites, which often are in a private network.
    const connections = context.network.connections({}, 'anywhere')
    const running = await createEmulator({
      ...first,
      moreSites,
      port: wholeNumber(context, 'port', 0, 65_535) ?? 0,
      ...(host !== null && { host }),
      allowedHosts: texts(context, 'allow-host') ?? [],
      dispatcher: await connections.get(),
      editorDir: context.line.editorFolder,
      onProblem: (problem) => context.log(`emulator: ${problem instanceof Error ? problem.message : String(problem)}`),
      // With --json the output is one line, as scripts expect it.
      ...(!context.asJson && { onCallback: (callback) => context.emit(null, callbackLine(callback)) }),
      ...(folder !== null && { dataFile: join(folder, 'emulator.db') }),
      ...(clock && { now: clock }),
    }).catch((problem: unknown) => {
      throw whyNotStarted(problem)
    })
    const keys = [first, ...moreSites].map(({ apiKey }) => `\n  API key   ${apiKey}`).join('')
    context.emit(
      { event: 'ready', base_url: running.baseUrl, api_key: running.apiKey, url: running.url },
      `The emulator is ready at ${running.url}\n  base URL  ${running.baseUrl}${keys}`,
    )
    if (!context.interrupted.aborted) await once(context.interrupted, 'abort')
    await running.close()
    await connections.destroy()
    return null
  },
}

/** A callback in one line, with the response only if it adds to the result. */
function callbackLine({ event, materialId, url, sentMs, againOf, end }: EndedCallback): string {
  const { origin, pathname } = new URL(url)
  const { result, error, message } = end.outcome
  return printable(
    [
      new Date(sentMs).toISOString(),
      againOf === null ? event : `${event} (again)`,
      materialId,
      // Without its query, which may contain a token.
      `${origin}${pathname}`,
      end.httpStatus ?? 'no answer',
      error ?? result,
      `${end.tookMs} ms`,
      ...(result === 'merged' ? [] : [message]),
    ].join('  '),
  )
}

/** The site of --api-key and those of --sites; without either, a site for trying out. */
async function sitesOf(context: Context): Promise<readonly [SiteSetup, ...SiteSetup[]]> {
  const file = text(context, 'sites')
  const apiKey = text(context, 'api-key')
  const [first, ...more] = file === null ? [] : await readSites(file, context)
  if (first !== undefined && apiKey === null) {
    const stray = keyOptions.find((name) => context.options[name] !== undefined)
    if (stray !== undefined)
      throw new UsageError(`--${stray} applies to --api-key; with --sites, set it in the file for each site`)
    return distinct([first, ...more])
  }
  const header = text(context, 'signature-header')
  const own: SiteSetup = {
    apiKey: apiKey ?? 'emulator-dev',
    apiSecret: flag(context, 'secret-stdin') ? secretFrom(await context.readStdin()) : wellKnownSecret,
    allowedDomains: (texts(context, 'allowed-domain') ?? []).map((domain) => valid(allowedDomain, domain)),
    ...(header !== null && { signatureHeader: valid(signatureHeader, header) }),
  }
  return distinct(first === undefined ? [own] : [own, first, ...more])
}

function distinct(sites: readonly [SiteSetup, ...SiteSetup[]]): readonly [SiteSetup, ...SiteSetup[]] {
  if (new Set(sites.map(({ apiKey }) => apiKey)).size < sites.length)
    throw new UsageError('two sites have the same API key')
  return sites
}

/** A clock that starts at the given moment, or null for the real one. */
function clockFrom(moment: string | null): (() => Date) | null {
  if (moment === null) return null
  const startMs = parseMoment(moment)
  if (startMs === null) throw new UsageError('--now must be a time in ISO 8601')
  const offsetMs = startMs - Date.now()
  return () => new Date(Date.now() + offsetMs)
}

/** Why an emulator cannot start, with advice; other errors are returned unchanged. */
function whyNotStarted(problem: unknown): unknown {
  switch (problem instanceof Error && 'code' in problem ? problem.code : null) {
    case 'EADDRINUSE':
      return new CommandFailure('port_taken', 'Another program uses this port. Choose another one with --port.')
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CommandFailure(
        'cannot_listen',
        'This computer does not have the address of --host. Choose another one.',
      )
    case 'SQLITE_BUSY':
      return new CommandFailure(
        'data_in_use',
        'Another emulator is using this data. Stop it, or choose another folder with --data.',
      )
    case 'SQLITE_NOTADB':
      return new CommandFailure(
        'data_unreadable',
        'The emulator.db in this folder was not created by the emulator. Nothing was changed. Choose another folder with --data.',
      )
    default:
      return problem
  }
}
