import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import {
  LogMismatchError,
  checkServiceOf,
  createKeychain,
  describeLook,
  listenerPort,
  lookAtLibrary,
  updateNotesFile,
} from '@galley/library'
import type { SiteSummary } from '@galley/library/records'
import { diskSpace, hostCause, shownCode, storageReason, trustedContext } from '@galley/platform'
import { readSource, storedState } from '@galley/update'
import { causeSentence } from '@galley/wire'

import type { Context } from './command.ts'
import { CommandFailure, command } from './command.ts'
import { nodeProblem } from './node-version.ts'
import { openingFailure } from './open-library.ts'
import { wholeNumber } from './option.ts'
import type { LibraryPorts } from './ports.ts'
import { printable } from './table.ts'

/** One row. `note`: nothing is known to be wrong, or right. */
interface Finding {
  readonly name: string
  readonly state: 'ok' | 'note' | 'fails'
  readonly site?: string
  readonly detail: string
  /** What to do; empty if there is nothing. */
  readonly fix: string
}

const good = (name: string, detail: string): Finding => ({ name, state: 'ok', detail, fix: '' })
const noted = (name: string, detail: string, fix = ''): Finding => ({ name, state: 'note', detail, fix })
const failing = (name: string, detail: string, fix: string): Finding => ({ name, state: 'fails', detail, fix })

const marks = { ok: 'ok   ', note: 'note ', fails: 'FAILS' } as const

export const doctor = command({
  name: 'doctor',
  summary: 'check this computer and the library, and say what to do',
  detail:
    'It repairs nothing and sends each service one request. It exits with 1 if something fails. galley site check tests one site whole.',
  options: {
    port: { ...wholeNumber(1, 65_535, 'the port of the listener', 8787), default: 'as for the sites, or 8787' },
  },
  examples: ['', '--json'],
  async run(context, { port }) {
    const { finding: library, galley } = await checkLibrary(context)
    const sites = galley === null ? [] : await galley.sites.list()
    const checks = [
      checkNode(),
      await checkKeychain(context),
      library,
      await checkDisk(context),
      await checkPort(galley, port ?? listenerPort(sites)),
      ...(await checkServices(context, sites)),
      checkUpdate(context, galley),
    ]
    const ok = checks.every(({ state }) => state !== 'fails')
    return {
      json: { ok, checks },
      text: checks.map(line).join('\n'),
      exitCode: ok ? 0 : 1,
    }
  },
})

const line = ({ name, site, state, detail, fix }: Finding): string =>
  printable(`${marks[state]}  ${name}${site === undefined ? '' : ` of ${site}`}: ${detail}`) +
  (fix && `\n       ${fix}`)

/** Inside the app, the Node of Electron runs the command. */
function checkNode(): Finding {
  const { node, electron } = process.versions as { readonly node: string; readonly electron?: string }
  if (electron !== undefined) return good('node', `the app runs this command: Electron ${electron}, Node ${node}`)
  const problem = nodeProblem(node, { running: process.execPath, installed: null })
  return problem === null ? good('node', `Node ${node}`) : failing('node', `Node ${node} is too old`, problem)
}

async function checkKeychain({ secretsFromEnvironment }: Context): Promise<Finding> {
  if (secretsFromEnvironment) return good('keychain', 'not used: secrets come from the environment')
  const found = await createKeychain().read('nothing')
  if (found.ok) return good('keychain', 'it can be read')
  return found.failure === 'locked'
    ? failing('keychain', 'it is locked', 'Unlock it. Until then, no save can be checked.')
    : failing(
        'keychain',
        'there is none, or it does not respond',
        'Start one. On a server, use --secrets env, with secrets in the environment (docs/api.md, section 2).',
      )
}

interface Library {
  readonly finding: Finding
  /** Null if it is not opened: a broken one would be repaired. */
  readonly galley: LibraryPorts | null
}

async function checkLibrary(context: Context): Promise<Library> {
  const without = (finding: Finding): Library => ({ finding, galley: null })
  try {
    const found = await lookAtLibrary(context.libraryFolder, () => new Date())
    if (found.kind === 'absent')
      return without(noted('library', 'there is none here yet', 'The first command that needs one makes it.'))
    if (found.kind !== 'sound') return without(failing('library', ...describeLook(found)))
    const galley = await context.galley()
    const { materials, versions } = galley.index.totals()
    const shown = `${materials} materials, ${versions} versions; the index is whole`
    if (galley.library.state === 'log_mismatch')
      return {
        finding: failing('library', 'its index and its log do not match', new LogMismatchError().message),
        galley,
      }
    if (galley.library.state === 'whole')
      return { finding: { ...good('library', shown), fix: 'galley fsck also reads every stored file.' }, galley }
    const fix = 'Free up space, or give this user the right to write there. Until then, nothing can be saved.'
    return { finding: failing('library', `${shown}, but it cannot be written`, fix), galley }
  } catch (error) {
    const why = openingFailure(error)
    if (why instanceof CommandFailure) return without(failing('library', why.message, ''))
    throw why
  }
}

/** The disk of the library, or of the place where it would be made. */
async function checkDisk({ libraryFolder }: Context): Promise<Finding> {
  let folder = resolve(libraryFolder)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  try {
    const { freeBytes, isLow } = await diskSpace(folder)
    const shown = `${(freeBytes / 1024 ** 3).toFixed(1)} GB are free`
    return isLow ? failing('disk', shown, 'Free up space: a large save may not fit.') : good('disk', shown)
  } catch (error) {
    return failing('disk', storageReason(error), 'Choose another folder with --library.')
  }
}

async function checkPort(galley: LibraryPorts | null, port: number): Promise<Finding> {
  const owner = galley?.listener.owner() ?? null
  if (owner !== null)
    return good('port', `process ${owner.processId} listens at ${owner.url ?? 'an address that is not known yet'}`)
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return good('port', `${port} is free; nothing listens for callbacks`)
  } catch (error) {
    return failing(
      'port',
      `${port} cannot be used (${shownCode(error)})`,
      'Stop the program that uses it, or choose another one with --port.',
    )
  } finally {
    server.close()
  }
}

/** Names of variables alone: a proxy may have a password. */
const setIn = (environment: Context['environment'], ...names: readonly string[]): string =>
  names.filter((name) => environment[name] || environment[name.toLowerCase()]).join(', ')

async function checkServices(context: Context, sites: readonly SiteSummary[]): Promise<readonly Finding[]> {
  const { environment } = context
  const asked = await Promise.all(
    sites.map(async (site) => ({
      site,
      proxy: await proxyFor(context, site),
      ...(site.isConfirmed ? await checkServiceOf(context.network, site) : { reachable: null, clock: null }),
    })),
  )
  const ofSite = ({ id }: SiteSummary, finding: Finding): Finding => ({ ...finding, site: id })
  const proxies = setIn(environment, 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY')
  const none = 'no site whose addresses are confirmed on this computer'
  return [
    ...(asked.some(({ clock }) => clock !== null)
      ? asked.flatMap(({ site, clock }) =>
          clock === null ? [] : [ofSite(site, { ...clock, state: stateOf(clock), name: 'clock' })],
        )
      : [noted('clock', `not compared: ${none}`, 'Make sure that this computer sets its clock automatically.')]),
    good('proxy', proxies === '' ? 'none is set in the environment' : `set in the environment: ${proxies}`),
    ...asked.map(({ site, proxy }) => ofSite(site, proxy)),
    trust(environment),
    ...asked.map(({ site, reachable }) =>
      ofSite(
        site,
        reachable === null
          ? noted('certificates', 'not asked: its addresses are not confirmed', `Run galley site add ${site.id}.`)
          : {
              name: 'certificates',
              state: stateOf(reachable),
              detail: `${new URL(site.baseUrl).origin}: ${reachable.detail}${reachable.ok ? tlsOf(site) : ''}`,
              fix: reachable.fix,
            },
      ),
    ),
  ]
}

const stateOf = ({ ok, fix }: { readonly ok: boolean; readonly fix: string }): Finding['state'] =>
  ok ? (fix === '' ? 'ok' : 'note') : 'fails'

const tlsOf = ({ baseUrl }: SiteSummary): string =>
  baseUrl.startsWith('https:') ? ', and its certificate is trusted' : ', without TLS'

async function proxyFor({ network }: Context, { baseUrl }: SiteSummary): Promise<Finding> {
  try {
    const proxy = await network.proxyFor(new URL(baseUrl))
    return good(
      'proxy',
      proxy === null ? 'its service is reached directly' : `its service is reached through ${proxy.host}`,
    )
  } catch (error) {
    return failing('proxy', causeSentence(hostCause(error)), 'Correct HTTP_PROXY, HTTPS_PROXY and NO_PROXY.')
  }
}

function trust(environment: Context['environment']): Finding {
  const named = setIn(environment, 'GALLEY_CA_CERTS', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE')
  try {
    trustedContext(environment)
    return good(
      'certificates',
      `those of Node and of the system are trusted${named && `; files of more are named by ${named}`}`,
    )
  } catch (error) {
    return failing('certificates', causeSentence(hostCause(error)), '')
  }
}

const updateWhere = 'Update it where it was installed from: apt, dnf, npm, or the window of the app.'

/** The result of the last check by the app. Sends no request. */
function checkUpdate({ line: { version }, environment }: Context, galley: LibraryPorts | null): Finding {
  const { resourcesPath } = process as { readonly resourcesPath?: string }
  const { off, checkedAt, problem, offer } = storedState({
    version,
    source: resourcesPath === undefined ? null : readSource(resourcesPath),
    isDevelopment: false,
    environment,
    isOn: () => galley?.settings.read().checksForUpdates ?? true,
    notesFile: updateNotesFile(environment),
  })
  const here = `this is Galley ${version}`
  if (offer !== null) return noted('update', `${here}; there is ${offer.version}`, updateWhere)
  if (problem !== null) return noted('update', `${here}; the last check failed: ${causeSentence(problem)}`, updateWhere)
  if (off === 'environment' || off === 'settings')
    return noted('update', `${here}; checks are off ${off === 'settings' ? 'in Settings' : 'by GALLEY_NO_UPDATES'}`)
  return checkedAt === null
    ? noted('update', `${here}; whether there is a newer one is not checked`, updateWhere)
    : good('update', `${here}; there was no newer one on ${checkedAt.slice(0, 10)}`)
}
