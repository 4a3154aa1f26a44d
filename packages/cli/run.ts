import type { Readable } from 'node:stream'
import {
  LibraryReadOnlyError,
  ListenError,
  LogMismatchError,
  createKeychain,
  defaultLibraryFolder,
  isDamage,
  ownerHasRebuilt,
  watchStatements,
} from '@galley/library'
import {
  chunksOf,
  createNetwork,
  createSourcePositions,
  ignoreWriteErrors,
  isStorageFault,
  openLogFile,
  print,
  shownCode,
  storageCause,
  storageReason,
} from '@galley/platform'
import type { LogFile } from '@galley/platform'
import { causeSentence, describeFault } from '@galley/wire'

import { buildIn } from './build.ts'
import type { Command, CommandLine, Context, Output, Start } from './command.ts'
import { CommandFailure } from './command.ts'
import { commandGroups, commands } from './commands.ts'
import { givenText } from './given-text.ts'
import { commandLines, globalOptions, helpOf, helpOfAll, usageOf } from './help.ts'
import type { Host } from './host.ts'
import { openLibrary } from './open-library.ts'
import { UsageError, valuesOf } from './option.ts'
import { parsedArguments } from './parse.ts'
import type { LibraryPorts } from './ports.ts'
import { printList } from './print-list.ts'
import { printableLines } from './table.ts'
import { teamCode } from './team-code.ts'

/** Runs a command and returns its exit code: 0 success, 1 failure, 2 wrong usage. */
export async function run(start: Start): Promise<number> {
  const line = { ...start, ...buildIn(start.buildFolder) }
  const logsJson = wantsJsonLog(line.args)
  const asJson = logsJson || line.args.includes('--json')
  const { stdout, stderr } = line.host
  const faults: ProcessLog = { file: null }
  const writeLog: WriteLog = (text, level = 'warn') => {
    const message = faults.file?.write(text) ?? text
    const line = { time: new Date().toISOString(), level, message }
    print(stderr, `${logsJson ? JSON.stringify(line) : printableLines(message)}\n`)
  }
  try {
    return await runCommand(line, asJson, faults, writeLog)
  } catch (error) {
    const described = describeError(error)
    if (asJson) print(stdout, `${JSON.stringify({ error: described })}\n`)
    writeLog(`galley: ${described.message}`, 'error')
    return error instanceof UsageError ? 2 : 1
  }
}

/** Whether the log is for a machine: one JSON object a line, on both outputs. */
function wantsJsonLog(args: readonly string[]): boolean {
  const format = args.find((arg) => arg.startsWith('--log='))?.slice(6) ?? args[args.indexOf('--log') + 1]
  return args.some((arg) => arg === '--log' || arg.startsWith('--log=')) && format === 'json'
}

/**
 * The error that a command reports for what it has thrown: once it is interrupted, a running request may end with a
 * fault.
 */
function endOf(error: unknown, isInterrupted: boolean): unknown {
  if (isDamage(error)) return new CommandFailure('index_damaged', damagedWords)
  const isAborted = error instanceof Error && error.name === 'AbortError'
  return isInterrupted && (isAborted || isStorageFault(error))
    ? new CommandFailure('cancelled', 'The command was interrupted. Completed steps were kept.')
    : error
}

/** The log of a server: what it writes to standard error is written there too, and redacted by the same rules. */
interface ProcessLog {
  file: LogFile | null
}

type WriteLog = (text: string, level?: 'warn' | 'error') => void

const damagedWords =
  'The library index is damaged, also after it was rebuilt from the log. No save is lost. Check the disk, then run the command again.'
const againWords =
  'The library index is damaged. No save is lost. Galley rebuilds it from the log and runs the command again.'

/** A failure for scripts and people: disk faults as text, bugs by their position in the code. */
function describeError(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof UsageError) return { code: 'usage', message: error.message }
  if (error instanceof CommandFailure) return { code: error.code, message: error.message }
  if (error instanceof LogMismatchError || error instanceof LibraryReadOnlyError || error instanceof ListenError)
    return { code: error.code, message: error.message }
  if (isStorageFault(error)) {
    const why = storageCause(error)
    const code = teamCode(why.code)
    if (code !== null)
      return { code, message: `The command could not finish: ${causeSentence(why)}. Nothing was lost.` }
    return {
      code: why.code === 'library_read_only' ? why.code : 'file_failed',
      message: `The command could not finish: ${storageReason(error)}. Fix the problem, then run it again.`,
    }
  }
  return { code: 'unexpected', message: `Galley failed unexpectedly. ${describeFault(error)}` }
}

/** Ends a stream when its reader closes it. Output that cannot be written, as on a full disk, is a failure. */
function watchOutput(host: Host, writeLog: WriteLog, onClosed: () => void): void {
  ignoreWriteErrors(host.stdout, (error) => {
    const code = shownCode(error)
    if (code === 'EPIPE') return onClosed()
    host.onOutputLost()
    writeLog(`galley: The output could not be written (${code}) and is incomplete.`)
  })
}

async function runCommand(line: CommandLine, asJson: boolean, faults: ProcessLog, log: WriteLog): Promise<number> {
  const { host } = line
  const args = commandFirst(line.args)
  const printResult = ({ json, text, isExact }: Output): void =>
    print(host.stdout, `${asJson ? JSON.stringify(json) : isExact ? text : printableLines(text)}\n`)
  const emit = (json: unknown, text: string): void => printResult({ json, text })
  const command = commandIn(args)
  if (!command) return emitAboutGalley(args, line.version, emit)
  const parsed = parsedArguments(command, args.slice(command.name.split(' ').length))
  const { library, secrets, help } = valuesOf(globalOptions, parsed.given)
  if (help) return emitHelp(command, emit)
  const secretsMode = secrets ?? line.environment.GALLEY_SECRETS ?? 'keychain'
  if (secretsMode !== 'keychain' && secretsMode !== 'env') throw new UsageError('--secrets must be keychain or env')
  const libraryFolder = library ?? defaultLibraryFolder(line.environment)

  // Other commands print their errors.
  const logFile =
    command.name === 'listen' ? openLogFile(libraryFolder, 'listener', createSourcePositions(line.buildFolder)) : null
  faults.file = logFile
  if (logFile) watchStatements(logFile.write)
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  const ignoreSignals = host.onSignal(interrupt)
  // A listener continues whatever happens to its output, because it also serves callers.
  if (!command.servesOn) watchOutput(host, log, interrupt)

  let opened: Promise<LibraryPorts> | undefined
  // Read once, also by a command that runs again.
  let input: Promise<string> | undefined
  const context: Context = {
    positionals: parsed.positionals,
    environment: line.environment,
    network: createNetwork(line.environment),
    asJson,
    libraryFolder,
    isLibraryGiven: library !== null,
    secretsFromEnvironment: secretsMode === 'env',
    galley: () =>
      (opened ??= openLibrary(line.createLibrary, {
        ...libraryEdges(line, libraryFolder, secretsMode),
        isAboutToListen: command.servesOn === true,
        log,
        ...(logFile && { hide: logFile.hide }),
      })),
    async closeLibrary() {
      const closing = opened
      opened = undefined
      await (await closing)?.close()
    },
    readStdin: () => (input ??= readAll(host.stdin)),
    emit,
    list: (list) => printList(host.stdout, list, { asJson, signal: stop.signal }),
    log,
    interrupted: stop.signal,
    line,
  }
  const fault = firstFault(command, host, log)
  const close = async (): Promise<void> => (await opened)?.close()
  try {
    const running = runMended(
      () => command.run(context, parsed.given),
      context,
      () => hasMetDamage(opened),
    ).catch((error: unknown) => {
      throw endOf(error, stop.signal.aborted)
    })
    const output = await Promise.race([running, fault])
    // Prints the result once, even if closing fails.
    const closing = await close().then(
      () => null,
      (error: unknown) => describeError(error).message,
    )
    if (output) printResult(output)
    if (closing !== null) log(`galley: ${closing}`)
    return closing === null ? (output?.exitCode ?? 0) : 1
  } catch (error) {
    // After an uncaught error, the command is still running.
    stop.abort()
    await close().catch(() => undefined)
    throw error
  } finally {
    ignoreSignals()
    if (stop.signal.aborted) host.exitSoon()
  }
}

async function hasMetDamage(opened: Promise<LibraryPorts> | undefined): Promise<boolean> {
  const galley = await opened?.catch(() => undefined)
  return galley?.library.damage.isKnown() ?? false
}

/**
 * Runs a command, and again if it has failed and met damage in the index, which the next opening rebuilds. A command may tell
 * of damage in words of its own.
 */
async function runMended(
  run: () => Promise<Output | null>,
  context: Context,
  isDamageKnown: () => Promise<boolean>,
): Promise<Output | null> {
  try {
    return await run()
  } catch (error) {
    if (!isDamage(error) && !(await isDamageKnown())) throw error
    context.log(againWords)
    await context.closeLibrary()
    await ownerHasRebuilt(context.libraryFolder)
    return run()
  }
}

const libraryEdges = (line: CommandLine, folder: string, secrets: 'env' | 'keychain') => ({
  folder,
  secrets: secrets === 'env' ? { environment: line.environment } : createKeychain(),
  environment: line.environment,
  workerScript: line.workerScript,
  backgroundScript: line.backgroundScript,
  version: line.version,
})

/** The command that these words begin with. */
const commandIn = (words: readonly string[]): Command | undefined =>
  commands.find(({ name }) => name.split(' ').every((word, at) => word === words[at]))

/** Answers what is asked about Galley itself, and refuses unknown commands. Returns the exit code. */
function emitAboutGalley(
  [wanted = '--help', ...words]: readonly string[],
  version: string,
  emit: Context['emit'],
): number {
  const options = words.findIndex((word) => word.startsWith('-'))
  const asked = wanted === 'help' ? words.slice(0, options < 0 ? words.length : options) : []
  const named = commandIn(asked)
  if (named !== undefined) return emitHelp(named, emit)
  const group = commands.filter(({ name }) => name.startsWith(`${asked[0] ?? ''} `))
  if (wanted === '--version') emit({ version }, version)
  else if (wanted !== '--help' && wanted !== 'help') throw new UsageError(noCommand(wanted))
  else if (group.length > 0) emit({ commands: group.map(commandJson) }, commandLines(group).join('\n'))
  else if (asked[0] !== undefined) throw new UsageError(noCommand(asked[0]))
  else emit({ commands: commands.map(commandJson) }, helpOfAll(commandGroups))
  return 0
}

function emitHelp(command: Command, emit: Context['emit']): number {
  emit(commandJson(command), helpOf(command))
  return 0
}

const commandJson = (command: Command) => ({
  name: command.name,
  usage: usageOf(command),
  summary: command.summary,
})

function noCommand(wanted: string): string {
  const continued = commands.flatMap(({ name }) =>
    name.startsWith(`${wanted} `) ? [name.slice(wanted.length + 1)] : [],
  )
  if (continued.length > 0) return `the command ${wanted} needs one of these: ${continued.join(', ')}`
  // Only the first word: the rest may contain a password.
  return `there is no command ${wanted.split('=', 1).join()}; galley --help lists all commands`
}

/**
 * Rejects at the first uncaught error. A server logs all of them and continues, like the app: transactions protect its data.
 */
function firstFault({ servesOn }: Command, host: Host, log: (text: string) => void): Promise<never> {
  const first = new Promise<never>((_, reject) =>
    host.onFault((fault) => {
      if (servesOn) log(`an error in Galley: ${describeFault(fault)}`)
      else reject(fault instanceof Error ? fault : new Error(String(fault)))
    }),
  )
  // The error may occur after the command has ended.
  first.catch(() => undefined)
  return first
}

/** Moves global options before the command to its end, where they have the same meaning. Empty if there is no command. */
function commandFirst(args: readonly string[]): readonly string[] {
  let leading = 0
  while (args[leading] === '--json' || args[leading] === '--library' || args[leading] === '--secrets') {
    leading += args[leading] === '--json' ? 1 : 2
  }
  return leading < args.length ? [...args.slice(leading), ...args.slice(0, leading)] : []
}

async function readAll(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of chunksOf(stdin)) chunks.push(chunk)
  return givenText(Buffer.concat(chunks), 'the input')
}
