import { parseArgs } from 'node:util'

import { LogMismatchError } from '../db/commit.ts'
import { isDamage } from '../db/open.ts'
import { LibraryReadOnlyError } from '../db/read-only-copy.ts'
import { isStorageFault, storageReason } from '../disk/storage-reason.ts'
import { faultPlace } from '../fault-place.ts'
import type { Galley } from '../galley.ts'
import { defaultLibraryFolder } from '../library-folder.ts'
import { createKeychain } from '../secrets/keychain.ts'
import type { Command, CommandLine, Context } from './command.ts'
import { CommandFailure, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { help } from './help.ts'
import { openLibrary } from './open-library.ts'

const globalOptions = {
  library: { type: 'string' },
  json: { type: 'boolean' },
  secrets: { type: 'string' },
  help: { type: 'boolean' },
} as const

/** Runs one command and gives its exit code: 0 done, 1 failed, 2 wrong usage. */
export async function run(line: CommandLine): Promise<number> {
  const asJson = line.args.includes('--json')
  try {
    return await runCommand(line, asJson)
  } catch (error) {
    const told = toldOf(error)
    if (asJson) process.stdout.write(`${JSON.stringify({ error: told })}\n`)
    process.stderr.write(`galley: ${told.message}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

const damagedWords =
  'The index of the library is damaged. No save is lost: run the command again, and Galley makes the index anew from its log.'

/** A failure as scripts and people are told of it: faults of the disk in words, bugs by their place. */
function toldOf(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof UsageError) return { code: 'usage', message: error.message }
  if (error instanceof CommandFailure) return { code: error.code, message: error.message }
  if (error instanceof LogMismatchError || error instanceof LibraryReadOnlyError)
    return { code: error.code, message: error.message }
  if (isStorageFault(error)) {
    return {
      code: 'file_failed',
      message: `It was not finished: ${storageReason(error)}. Mend that, then run it again.`,
    }
  }
  return { code: 'unexpected', message: `Galley ran into a fault of its own. ${faultPlace(error)}` }
}

async function runCommand(line: CommandLine, asJson: boolean): Promise<number> {
  const args = commandFirst(line.args)
  const command = commands.find(({ name }) => name.split(' ').every((word, at) => word === args[at]))
  if (!command) {
    const wanted = args[0] ?? '--help'
    if (wanted === '--version') process.stdout.write(`${line.version}\n`)
    else if (wanted === '--help' || wanted === 'help') process.stdout.write(`${help(commands)}\n`)
    else throw new UsageError(`there is no command ${args.join(' ')}; galley --help lists them`)
    return 0
  }
  const parsed = parsedArguments(command, args.slice(command.name.split(' ').length))
  if (parsed.values.help === true) {
    process.stdout.write(`galley ${command.name} ${command.usage}\n  ${command.summary}\n`)
    return 0
  }
  const secretsMode = parsed.values.secrets ?? line.environment.GALLEY_SECRETS ?? 'keychain'
  if (secretsMode !== 'keychain' && secretsMode !== 'env') throw new UsageError('--secrets has to be keychain or env')
  const libraryFolder = parsed.values.library ?? defaultLibraryFolder(line.environment)

  const log = (text: string) => void process.stderr.write(`${text}\n`)
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  // Kept to the end: a second signal, as npm and a terminal send it, must not cut the orderly stop short.
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)

  let opened: Promise<Galley> | undefined
  const context: Context = {
    options: parsed.values,
    positionals: parsed.positionals,
    environment: line.environment,
    asJson,
    libraryFolder,
    secretsFromEnvironment: secretsMode === 'env',
    galley: () =>
      (opened ??= openLibrary({
        folder: libraryFolder,
        secrets: secretsMode === 'env' ? { environment: line.environment } : createKeychain(),
        environment: line.environment,
        workerScript: line.workerScript,
        backgroundScript: line.backgroundScript,
        version: line.version,
        log,
      })),
    readStdin,
    emit: (json, text) => void process.stdout.write(`${asJson ? JSON.stringify(json) : text}\n`),
    log,
    interrupted: stop.signal,
    line,
  }
  try {
    const output = await command.run(context).catch(async (error: unknown) => {
      if (!isDamage(error)) throw error
      ;(await opened)?.library.requestRebuild()
      throw new CommandFailure('index_damaged', damagedWords)
    })
    if (output) process.stdout.write(`${asJson ? JSON.stringify(output.json) : output.text}\n`)
    return output?.exitCode ?? 0
  } finally {
    await (await opened)?.close()
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}

/** Global options may stand before the command; behind it they mean the same. */
function commandFirst(args: readonly string[]): readonly string[] {
  let leading = 0
  while (args[leading] === '--json' || args[leading] === '--library' || args[leading] === '--secrets') {
    leading += args[leading] === '--json' ? 1 : 2
  }
  return [...args.slice(leading), ...args.slice(0, leading)]
}

function parsedArguments(command: Command, args: readonly string[]) {
  const required = command.positionals.filter((name) => !name.startsWith('['))
  const usage = `usage: galley ${command.name} ${command.usage}`
  let parsed
  try {
    parsed = parseArgs({ args: [...args], options: { ...globalOptions, ...command.options }, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n${usage}`, { cause: error })
  }
  const { length } = parsed.positionals
  if (parsed.values.help !== true && (length < required.length || length > command.positionals.length)) {
    throw new UsageError(usage)
  }
  return parsed
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
