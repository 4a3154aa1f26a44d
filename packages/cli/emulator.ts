import { once } from 'node:events'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { allowedDomain, signatureHeader } from '@galley/library/records'
import { makeFolder } from '@galley/platform'
import type { EndedCallback, SiteSetup } from '@galley/service'
import { loadEmulator, parseMoment } from '@galley/service'

import type { Context } from './command.ts'
import { CommandFailure, command, secretFrom } from './command.ts'
import { readSites, wellKnown } from './emulator-sites.ts'
import type { Values } from './option.ts'
import { UsageError, byRule, flag, parsed, several, text, wholeNumber } from './option.ts'
import { printable } from './table.ts'

const options = {
  port: { ...wholeNumber(0, 65_535, 'the port', 8900), default: 'a free one' },
  host: { ...text('ADDRESS', 'the address to listen on', '0.0.0.0'), default: '127.0.0.1' },
  allowHost: several(text('NAME', 'another host name to answer to', 'service.test')),
  apiKey: { ...text('KEY', 'the API key of the site', 'acme-key'), default: wellKnown.apiKey },
  secretStdin: { ...flag('read the secret of the site from standard input'), default: wellKnown.secret },
  data: text('DIR', 'a folder for its data, which is otherwise kept in memory', 'emulator'),
  signatureHeader: parsed('NAME', 'the header with the signature', 'X-Acme-Signature', byRule(signatureHeader)),
  allowedDomain: {
    ...several(parsed('DOMAIN', 'a domain that pages may refer to', 'acme.example', byRule(allowedDomain))),
    default: 'this computer',
  },
  sites: text('FILE', 'a JSON file with several sites', 'sites.json'),
  now: parsed('MOMENT', 'start its clock at this time in ISO 8601', '2026-11-21T09:00:00Z', clockFrom),
}

type EmulatorOptions = Values<typeof options>

/** Options for the site of --api-key. They are invalid if there is only --sites. */
const isGiven = ({ secretStdin, signatureHeader: header, allowedDomain: domains }: EmulatorOptions) =>
  [
    ['secret-stdin', secretStdin],
    ['signature-header', header !== null],
    ['allowed-domain', domains.length > 0],
  ] as const

export const emulator = command({
  name: 'emulator',
  summary: 'run the hosted service on this computer, for trying out',
  options,
  examples: ['--port 8900', '--sites sites.json --data emulator'],
  async run(context, given) {
    // A larger young generation would only keep more archives in memory before they are collected.
    setFlagsFromString('--semi-space-growth-factor=1')
    const { now: clock, data: folder, host } = given
    const [first, ...moreSites] = await sitesOf(context, given)
    if (folder !== null) await makeFolder(folder, 0o700)
    // Imported here, because it loads the HTTP client and adm-zip. That takes a tenth of a second, and most commands need neither.
    const { createEmulator } = await loadEmulator()
    // A person started it for these sites, which often are in a private network.
    const connections = context.network.connections({}, 'anywhere')
    const running = await createEmulator({
      ...first,
      moreSites,
      port: given.port ?? 0,
      ...(host !== null && { host }),
      allowedHosts: given.allowHost,
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
})

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
async function sitesOf(context: Context, given: EmulatorOptions): Promise<readonly [SiteSetup, ...SiteSetup[]]> {
  const { sites: file, apiKey, signatureHeader: header } = given
  const [first, ...more] = file === null ? [] : await readSites(file, context)
  if (first !== undefined && apiKey === null) {
    const [stray] = isGiven(given).find(([, isThere]) => isThere) ?? []
    if (stray !== undefined)
      throw new UsageError(`--${stray} applies to --api-key; with --sites, set it in the file for each site`)
    return distinct([first, ...more])
  }
  const own: SiteSetup = {
    apiKey: apiKey ?? wellKnown.apiKey,
    apiSecret: given.secretStdin ? secretFrom(await context.readStdin()) : wellKnown.secret,
    allowedDomains: [...given.allowedDomain],
    ...(header !== null && { signatureHeader: header }),
  }
  return distinct(first === undefined ? [own] : [own, first, ...more])
}

function distinct(sites: readonly [SiteSetup, ...SiteSetup[]]): readonly [SiteSetup, ...SiteSetup[]] {
  if (new Set(sites.map(({ apiKey }) => apiKey)).size < sites.length)
    throw new UsageError('two sites have the same API key')
  return sites
}

/** A clock that starts at the given moment. */
function clockFrom(name: string, moment: string): () => Date {
  const startMs = parseMoment(moment)
  if (startMs === null) throw new UsageError(`--${name} must be a time in ISO 8601`)
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
