import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import {
  LibraryReadOnlyError,
  createRecovery,
  defaultPort,
  keepBackups,
  serveProbes,
  siteObstacle,
  trustedProxyProblem,
} from '@galley/library'
import type { Readiness } from '@galley/library'
import { listenFailureSentence } from '@galley/library/records'
import { isDiskLow } from '@galley/platform'
import { dailySchedule } from '@galley/sites'
import { cause, encodeSegment } from '@galley/wire'
import type { CallbackId } from '@galley/wire'

import type { Context } from './command.ts'
import { CommandFailure, command } from './command.ts'
import { startHeartbeat } from './heartbeat.ts'
import { UsageError, byDefault, choice, parsed, several, text, wholeNumber } from './option.ts'
import { callbackJson } from './outside.ts'
import type { LibraryPorts } from './ports.ts'
import { printable } from './table.ts'

export const listen = command({
  name: 'listen',
  summary: 'receive callbacks until interrupted',
  servesOn: true,
  options: {
    host: byDefault(text('ADDRESS', 'the address to listen on', '0.0.0.0'), '127.0.0.1'),
    port: byDefault(wholeNumber(0, 65_535, 'the port', 8787), defaultPort),
    trustedProxy: several(
      parsed('ADDRESS|CIDR', 'a reverse proxy whose X-Forwarded-For is believed', '10.0.0.0/8', proxyFrom),
    ),
    healthPort: wholeNumber(0, 65_535, 'answer health probes (/live, /ready) on a port of their own', 8790),
    heartbeat: parsed(
      'URL',
      'request this every minute while ready, for a service that raises an alarm when that stops',
      'https://heartbeat.example.com/galley',
      heartbeatUrl,
    ),
    log: byDefault(choice(['text', 'json'], 'the form of what is printed'), 'text'),
  },
  examples: ['', '--trusted-proxy 10.0.0.0/8 --health-port 8790 --log json'],
  async run(context, { host, port, trustedProxy: proxies, healthPort, heartbeat }) {
    // A grown young generation never shrinks, which costs a long-running process tens of megabytes.
    setFlagsFromString('--semi-space-growth-factor=1')
    const serving: Serving = { galley: null }
    const probes = await startProbes(context, { host, port: healthPort }, serving)
    const isReady = async () => (await readinessNow(context, serving)).state === 'ready'
    const pulse =
      heartbeat === null ? null : startHeartbeat(heartbeat, { network: context.network, isReady, log: context.log })
    try {
      await serve(context, {
        host,
        port,
        proxies,
        serving,
        healthUrl: probes?.url ?? null,
        onListening: () => pulse?.beat(),
      })
      await context.closeLibrary()
      return null
    } finally {
      await pulse?.stop()
      await probes?.close()
    }
  },
})

function heartbeatUrl(name: string, given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol) || `${url.username}${url.password}` !== '')
    throw new UsageError(`--${name} must be an http or https URL without a user name`)
  return url.href
}

function proxyFrom(name: string, given: string): string {
  const problem = trustedProxyProblem(given)
  if (problem !== null) throw new UsageError(`--${name}: ${problem}`)
  return given
}

/** The library while it is open. */
interface Serving {
  galley: LibraryPorts | null
}

interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly proxies: readonly string[]
  readonly serving: Serving
  readonly healthUrl: string | null
  readonly onListening: () => void
}

/** How often a library is opened that meets damage before it listens. */
const openingsAtMost = 3

/** Serves the library until the command is interrupted, and opens it again when that mends it. */
async function serve(context: Context, options: ListenOptions): Promise<void> {
  const watchForRecovery = createRecovery()
  const served = { port: options.port, isFirst: true }
  for (let damaged = 0; ;) {
    try {
      if (await serveOnce(context, options, served, watchForRecovery)) return
      damaged = 0
      context.log('reopening the library')
    } catch (error) {
      // The damage has requested a rebuild, which the next opening makes.
      damaged += 1
      if (!(error instanceof MetDamageError) || damaged === openingsAtMost) throw error
    }
    await context.closeLibrary()
  }
}

/** Damage was met before the library could be served. */
class MetDamageError extends Error {}

/** Resolves to whether the command was interrupted; false: the library has to be reopened. */
async function serveOnce(
  context: Context,
  { host, proxies, serving, healthUrl, onListening }: ListenOptions,
  served: { port: number; isFirst: boolean },
  watchForRecovery: ReturnType<typeof createRecovery>,
): Promise<boolean> {
  const galley = await context.galley()
  if (galley.library.state === 'read_only') throw new LibraryReadOnlyError()
  const stops: (() => void)[] = []
  try {
    await galley.team?.checkBucket()
    galley.listener.trustProxies(proxies)
    // Never unsubscribed: saves in progress when the signal arrives are still stored and answered.
    galley.changes.onCallback((id) => notifyOfCallback(context, galley, id))
    stops.push(keepBackups(galley), galley.webhooks.start())
    if (galley.team) stops.push(galley.team.keepFollowing())
    stops.push(dailySchedule(galley, context.line.themesFolder, context.log).start())
    const url = await startedAt(galley, host, served.port)
    serving.galley = galley
    served.port = Number(new URL(url).port)
    if (served.isFirst) notifyOfStart(context, galley, { url, healthUrl })
    served.isFirst = false
    onListening()
    const reopened = Promise.withResolvers<boolean>()
    stops.push(watchForRecovery(galley, () => reopened.resolve(false)))
    const ended = context.interrupted.aborted ? Promise.resolve() : once(context.interrupted, 'abort')
    return await Promise.race([ended.then(() => true), reopened.promise])
  } catch (error) {
    throw galley.library.damage.isKnown() ? new MetDamageError(undefined, { cause: error }) : error
  } finally {
    for (const stop of stops) stop()
  }
}

/** Answers probes from before the library is opened until it is closed; null without `--health-port`. */
async function startProbes(
  context: Context,
  { host, port }: { readonly host: string; readonly port: number | null },
  serving: Serving,
) {
  if (port === null) return null
  return serveProbes(host, port, () => readinessNow(context, serving))
}

async function readinessNow({ interrupted }: Context, { galley }: Serving): Promise<Readiness> {
  if (interrupted.aborted) return { state: 'stopping' }
  return galley?.listener.state().kind === 'listening' ? readinessOf(galley) : { state: 'starting' }
}

async function readinessOf(galley: LibraryPorts): Promise<Readiness> {
  const fault = await galley.listener.checkStorage()
  if (fault?.until === 'reopened') return { state: 'starting', why: fault.cause }
  if (fault !== null) return { state: fault.until === 'restart' ? 'disk_failed' : fault.cause.code, why: fault.cause }
  if (await isDiskLow(galley.folder)) return { state: 'disk_full', why: cause('no_room') }
  const why = await siteObstacle(galley)
  if (why !== null) return { state: why.code, why }
  return (await galley.team?.readiness()) ?? { state: 'ready' }
}

async function startedAt(galley: LibraryPorts, host: string, port: number): Promise<string> {
  const state = await galley.listener.start(host, port)
  if (state.kind === 'elsewhere') {
    throw new CommandFailure(
      'library_in_use',
      `${state.processId === 0 ? 'Another process' : `Process ${state.processId}`} already listens for this library${state.url ? ` at ${state.url}` : ''}. Stop it first, or use another library.`,
    )
  }
  if (state.kind !== 'listening')
    throw new CommandFailure(
      state.kind === 'failed' && state.code === 'log_mismatch' ? state.code : 'cannot_listen',
      state.kind === 'failed' ? listenFailureSentence(state) : 'The listener could not be started.',
    )
  return state.url
}

function notifyOfStart(
  context: Context,
  galley: LibraryPorts,
  { url, healthUrl }: { url: string; healthUrl: string | null },
): void {
  const sites = galley.index.sites.list().map(({ id }) => ({ id, callback_path: `/callback/${encodeSegment(id)}` }))
  context.emit(
    { event: 'listening', url, sites, ...(healthUrl !== null && { health_url: healthUrl }) },
    [
      `Listening at ${url}`,
      ...(healthUrl === null ? [] : [`Health at ${healthUrl}`]),
      ...sites.map(({ id, callback_path: path }) => `  ${id}: ${url}${path}`),
    ].join('\n'),
  )
}

function notifyOfCallback(context: Context, galley: LibraryPorts, id: CallbackId): void {
  const callback = galley.index.callbacks.find(id)
  if (!callback) return
  const ms = Math.round(callback.steps.reduce((sum, step) => sum + step.ms, 0))
  context.emit(
    { event: 'callback', ...callbackJson(callback), ms },
    printable(
      `${callback.receivedAt}  ${callback.outcome}  ${callback.site}  ${callback.materialId ?? '-'}  ${callback.rm}`,
    ),
  )
}
