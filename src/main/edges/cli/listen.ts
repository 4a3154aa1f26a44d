import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'

import { listenFailureSentence } from '../../../contract/domain/listener-state.ts'
import type { CallbackId } from '../../../contract/ids.ts'
import { encodeSegment } from '../../../contract/protocol/public-url.ts'
import { LibraryReadOnlyError } from '../../library/db/read-only-copy.ts'
import { isDiskLow } from '../../platform/disk/reserve.ts'
import { keepBackups } from '../../use-cases/care/backup-task.ts'
import { createRecovery } from '../../use-cases/care/recover.ts'
import { dailySchedule } from '../../use-cases/releasing/publish-daily.ts'
import { defaultPort } from '../../use-cases/sites/listener-port.ts'
import { trustedProxyProblem } from '../http/client-address.ts'
import { serveProbes } from '../http/probes.ts'
import type { Command, Context } from './command.ts'
import { CommandFailure, oneOf, text, texts, UsageError, wholeNumber } from './command.ts'
import { callbackJson } from './outside.ts'
import type { LibraryPorts } from './ports.ts'
import { printable } from './table.ts'

export const listen: Command = {
  name: 'listen',
  usage: '[--host 127.0.0.1] [--port 8787] [--trusted-proxy ADDRESS|CIDR]... [--health-port N] [--log text|json]',
  summary: 'receive callbacks until interrupted',
  positionals: [],
  servesOn: true,
  options: {
    host: { type: 'string' },
    port: { type: 'string' },
    'trusted-proxy': { type: 'string', multiple: true },
    'health-port': { type: 'string' },
    log: { type: 'string' },
  },
  async run(context) {
    // A grown young generation never shrinks, which costs a long-running process tens of megabytes.
    setFlagsFromString('--semi-space-growth-factor=1')
    const proxies = texts(context, 'trusted-proxy') ?? []
    const problem = proxies.map(trustedProxyProblem).find((found) => found !== null)
    if (problem) throw new UsageError(`--trusted-proxy: ${problem}`)
    const host = text(context, 'host') ?? '127.0.0.1'
    const port = wholeNumber(context, 'port', 0, 65_535) ?? defaultPort
    oneOf(context, 'log', ['text', 'json'])
    const serving: Serving = { galley: null }
    const probes = await startProbes(context, host, serving)
    try {
      await serve(context, { host, port, proxies, serving, healthUrl: probes?.url ?? null })
      return null
    } finally {
      await probes?.close()
    }
  },
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
}

/** Serves the library until the command is interrupted, and opens it again when it has recovered. */
async function serve(
  context: Context,
  { host, proxies, serving, healthUrl, ...options }: ListenOptions,
): Promise<void> {
  let { port } = options
  const watchForRecovery = createRecovery()
  for (let isFirst = true; ; isFirst = false) {
    const galley = await context.galley()
    if (galley.library.state === 'read_only') throw new LibraryReadOnlyError()
    await galley.team?.checkBucket()
    galley.listener.trustProxies(proxies)
    // Never unsubscribed: saves in progress when the signal arrives are still stored and answered.
    galley.changes.onCallback((id) => notifyOfCallback(context, galley, id))
    const stopBackups = keepBackups(galley)
    const stopFollowing = galley.team?.keepFollowing()
    const stopSchedule = dailySchedule(galley, context.line.themesFolder, context.log).start()
    const url = await startedAt(galley, host, port)
    serving.galley = galley
    port = Number(new URL(url).port)
    if (isFirst) notifyOfStart(context, galley, { url, healthUrl })
    const reopened = Promise.withResolvers<boolean>()
    const stopWatching = watchForRecovery(galley, () => reopened.resolve(false))
    const ended = context.interrupted.aborted ? Promise.resolve() : once(context.interrupted, 'abort')
    const isOver = await Promise.race([ended.then(() => true), reopened.promise])
    stopWatching()
    stopBackups()
    stopSchedule()
    stopFollowing?.()
    if (!isOver) context.log('reopening the library')
    await context.closeLibrary()
    if (isOver) return
  }
}

/** Answers probes from before the library is opened until it is closed; null without `--health-port`. */
async function startProbes(context: Context, host: string, serving: Serving) {
  const port = wholeNumber(context, 'health-port', 0, 65_535)
  if (port === null) return null
  return serveProbes(host, port, async () => {
    if (context.interrupted.aborted) return { state: 'stopping' }
    const state = serving.galley?.listener.state()
    if (state?.kind !== 'listening') return { state: 'starting' }
    if (state.isDiskBroken) return { state: 'disk_failed' }
    if (await isDiskLow(context.libraryFolder)) return { state: 'disk_full' }
    return (await serving.galley?.team?.readiness()) ?? { state: 'ready' }
  })
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
