import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'

import { encodeSegment } from '../../../contract/protocol/public-url.ts'
import { LibraryReadOnlyError } from '../../library/db/read-only-copy.ts'
import { trustedProxyProblem } from '../http/client-address.ts'
import { defaultPort } from '../../use-cases/sites/listener-port.ts'
import { keepBackups } from '../../use-cases/care/backup-task.ts'
import { dailySchedule } from '../../use-cases/releasing/publish-daily.ts'
import { createRecovery } from '../../use-cases/care/recover.ts'
import type { CallbackId } from '../../../contract/ids.ts'
import type { Command, Context, Library } from './command.ts'
import { CommandFailure, text, texts, UsageError, wholeNumber } from './command.ts'
import { callbackJson } from './outside.ts'
import { printable } from './table.ts'

export const listen: Command = {
  name: 'listen',
  usage: '[--host 127.0.0.1] [--port 8787] [--trusted-proxy ADDRESS|CIDR]...',
  summary: 'receive callbacks until interrupted',
  positionals: [],
  servesOn: true,
  options: {
    host: { type: 'string' },
    port: { type: 'string' },
    'trusted-proxy': { type: 'string', multiple: true },
  },
  async run(context) {
    // A young generation that grows with the traffic keeps its size for good: tens of megabytes of a process that runs for months.
    setFlagsFromString('--semi-space-growth-factor=1')
    const proxies = texts(context, 'trusted-proxy') ?? []
    const problem = proxies.map(trustedProxyProblem).find((found) => found !== null)
    if (problem) throw new UsageError(`--trusted-proxy: ${problem}`)
    const host = text(context, 'host') ?? '127.0.0.1'
    let port = wholeNumber(context, 'port', 0, 65_535) ?? defaultPort
    const watchForRecovery = createRecovery()
    for (let isFirst = true; ; isFirst = false) {
      const galley = await context.galley()
      if (galley.library.state === 'read_only') throw new LibraryReadOnlyError()
      galley.listener.trustProxies(proxies)
      // To the very end: saves that are under way when the signal comes are still stored and answered.
      galley.changes.onCallback((id) => tellOfCallback(context, galley, id))
      const stopBackups = keepBackups(galley)
      const stopSchedule = dailySchedule(galley, context.line.themesFolder, context.log).start()
      const url = await startedAt(galley, host, port)
      port = Number(new URL(url).port)
      if (isFirst) tellOfStart(context, galley, url)
      const reopened = Promise.withResolvers<boolean>()
      const stopWatching = watchForRecovery(galley, () => reopened.resolve(false))
      const ended = context.interrupted.aborted ? Promise.resolve() : once(context.interrupted, 'abort')
      const isOver = await Promise.race([ended.then(() => true), reopened.promise])
      stopWatching()
      stopBackups()
      stopSchedule()
      if (isOver) return null
      context.log('opening the library anew')
      await context.closeLibrary()
    }
  },
}

async function startedAt(galley: Library, host: string, port: number): Promise<string> {
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
      state.kind === 'failed' ? state.reason : 'The listener could not be started.',
    )
  return state.url
}

function tellOfStart(context: Context, galley: Library, url: string): void {
  const sites = galley.index.sites.list().map(({ id }) => ({ id, callback_path: `/callback/${encodeSegment(id)}` }))
  context.emit(
    { event: 'listening', url, sites },
    [`Listening at ${url}`, ...sites.map(({ id, callback_path: path }) => `  ${id}: ${url}${path}`)].join('\n'),
  )
}

function tellOfCallback(context: Context, galley: Library, id: CallbackId): void {
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
