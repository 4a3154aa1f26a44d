import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { createEmulator } from '../../emulator/emulator.ts'
import type { Command } from './command.ts'
import { UsageError, flag, text, texts, wholeNumber } from './command.ts'

/** The secret of an emulator that was given none: known to everybody, so good for trying out and nothing else. */
const wellKnownSecret = 'emulator-secret'

export const emulator: Command = {
  name: 'emulator',
  usage:
    '[--port N] [--api-key K] [--secret-stdin] [--data DIR] [--signature-header H] [--allowed-domain D]... [--now ISO]',
  summary: `run the service side on this machine; without --secret-stdin its secret is ${wellKnownSecret}`,
  positionals: [],
  options: {
    port: { type: 'string' },
    'api-key': { type: 'string' },
    'secret-stdin': { type: 'boolean' },
    data: { type: 'string' },
    'signature-header': { type: 'string' },
    'allowed-domain': { type: 'string', multiple: true },
    now: { type: 'string' },
  },
  async run(context) {
    const folder = text(context, 'data')
    if (folder !== null) await mkdir(folder, { recursive: true, mode: 0o700 })
    const signatureHeader = text(context, 'signature-header')
    const clock = clockFrom(text(context, 'now'))
    const running = await createEmulator({
      port: wholeNumber(context, 'port', 0, 65_535) ?? 0,
      apiKey: text(context, 'api-key') ?? 'emulator-dev',
      apiSecret: flag(context, 'secret-stdin') ? (await context.readStdin()).replace(/\r?\n$/, '') : wellKnownSecret,
      allowedDomains: texts(context, 'allowed-domain') ?? [],
      editorDir: context.line.editorFolder,
      onProblem: (problem) => context.log(`emulator: ${problem instanceof Error ? problem.message : String(problem)}`),
      ...(signatureHeader !== null && { signatureHeader }),
      ...(folder !== null && { dataFile: join(folder, 'emulator.db') }),
      ...(clock && { now: clock }),
    })
    context.emit(
      { event: 'ready', base_url: running.baseUrl, api_key: running.apiKey, url: running.url },
      `The emulator is ready.\n  base URL  ${running.baseUrl}\n  API key   ${running.apiKey}`,
    )
    if (!context.interrupted.aborted) await once(context.interrupted, 'abort')
    await running.close()
    return null
  },
}

/** A clock that starts at the given moment and runs on, or null for the real one. */
function clockFrom(moment: string | null): (() => Date) | null {
  if (moment === null) return null
  const startMs = Date.parse(moment)
  if (Number.isNaN(startMs)) throw new UsageError('--now has to be a moment in ISO 8601')
  const offsetMs = startMs - Date.now()
  return () => new Date(Date.now() + offsetMs)
}
