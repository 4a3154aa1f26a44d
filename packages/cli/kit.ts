import { constants } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chunksOf, createNetwork, ignoreWriteErrors, isSystemError, print, storageReason } from '@galley/platform'
import { describeFault } from '@galley/wire'

import { buildIn } from './build.ts'
import type { Command, Context, Output, Start } from './command.ts'
import { CommandFailure, command, positional } from './command.ts'
import { conformanceAs } from './conformance.ts'
import { emulator } from './emulator.ts'
import { givenText } from './given-text.ts'
import type { Program } from './help.ts'
import { commandLines, globalOptions, helpOf } from './help.ts'
import { UsageError, valuesOf } from './option.ts'
import { parsedArguments } from './parse.ts'
import { printableLines } from './table.ts'

// The kit loads none of what the commands of a library need.
export { ownProcess } from './host.ts'
export { nodeProblem } from './node-version.ts'

/** How to start the sample of a language, whose ending is that of its file. */
const languages = {
  node: { ending: 'mjs', start: 'node backend.mjs' },
  php: { ending: 'php', start: 'PHP_CLI_SERVER_WORKERS=4 php -S 127.0.0.1:8080 backend.php' },
  python: { ending: 'py', start: 'python3 backend.py' },
} as const

const sample = command({
  name: '--sample',
  summary: 'write a small backend to start from, which passes the check',
  positionals: { 'php|node|python': 'the language', FOLDER: 'a folder for it' },
  examples: ['php backend'],
  async run(context) {
    const language = positional(context, 0)
    if (!Object.hasOwn(languages, language)) throw new UsageError('--sample takes php, node or python')
    const { ending, start } = languages[language as keyof typeof languages]
    const folder = positional(context, 1)
    const name = `backend.${ending}`
    const file = join(folder, name)
    try {
      await mkdir(folder, { recursive: true })
      await copyFile(join(context.line.buildFolder, '..', 'samples', name), file, constants.COPYFILE_EXCL)
    } catch (error) {
      if (!isSystemError(error)) throw error
      if (error.code === 'EEXIST')
        throw new CommandFailure('file_exists', `${file} exists, and was left as it is. Name another folder.`)
      throw new CommandFailure('file_failed', `${file} could not be written: ${storageReason(error)}.`)
    }
    const check = 'galley-kit check http://127.0.0.1:8080/callback'
    return {
      json: { file, start, check },
      text: `Wrote ${file}. Start it in its folder, then check it:\n  ${start}\n  ${check}`,
    }
  },
})

const { json, help } = globalOptions
const program: Program = { name: 'galley-kit', options: { json, help } }
const commands: readonly Command[] = [emulator, conformanceAs('check'), sample]

const usage = (): string =>
  [
    'Usage: galley-kit COMMAND [OPTIONS]',
    commandLines(commands).join('\n'),
    'galley-kit help COMMAND explains one command, with examples.',
  ].join('\n\n')

const noLibrary = () => Promise.reject(new Error('The developer kit has no library'))

/** Runs a command of the developer kit and returns its exit code: 0 success, 1 failure, 2 wrong usage. */
export async function runKit(start: Omit<Start, 'createLibrary'>): Promise<number> {
  const { host, args, environment } = start
  const asJson = args.includes('--json')
  const log = (line: string): void => print(host.stderr, `${printableLines(line)}\n`)
  const emit = (value: unknown, text: string): void =>
    print(host.stdout, `${asJson ? JSON.stringify(value) : printableLines(text)}\n`)
  const stop = new AbortController()
  const ignoreSignals = host.onSignal(() => stop.abort())
  ignoreWriteErrors(host.stdout, () => stop.abort())
  const line = { ...start, ...buildIn(start.buildFolder), createLibrary: noLibrary }
  const context = (positionals: readonly string[]): Context => ({
    positionals,
    environment,
    network: createNetwork(environment),
    asJson,
    libraryFolder: '',
    isLibraryGiven: false,
    galley: noLibrary,
    closeLibrary: noLibrary,
    secretsFromEnvironment: false,
    async readStdin() {
      const chunks: Buffer[] = []
      for await (const chunk of chunksOf(host.stdin)) chunks.push(chunk)
      return givenText(Buffer.concat(chunks), 'the input')
    },
    emit,
    list: noLibrary,
    log,
    line,
    interrupted: stop.signal,
  })
  try {
    const output = await outputOf(args, line.version, context)
    if (output) emit(output.json, output.text)
    return output?.exitCode ?? 0
  } catch (error) {
    const isKnown = error instanceof UsageError || error instanceof CommandFailure
    const message = isKnown ? error.message : `The kit failed unexpectedly. ${describeFault(error)}`
    const code = error instanceof UsageError ? 'usage' : error instanceof CommandFailure ? error.code : 'unexpected'
    if (asJson) print(host.stdout, `${JSON.stringify({ error: { code, message } })}\n`)
    log(`galley-kit: ${message}`)
    return error instanceof UsageError ? 2 : 1
  } finally {
    ignoreSignals()
    if (stop.signal.aborted) host.exitSoon()
  }
}

async function outputOf(
  args: readonly string[],
  version: string,
  context: (positionals: readonly string[]) => Context,
): Promise<Output | null> {
  const [wanted = '--help', ...words] = args[0] === 'help' ? [...args.slice(1), '--help'] : args
  if (wanted === '--version') return { json: { version }, text: version }
  if (wanted === '--help') return { json: { commands: commands.map(({ name }) => name) }, text: usage() }
  const named = commands.find(({ name }) => name === wanted)
  // The first word alone: the rest may contain a password.
  if (named === undefined) throw new UsageError(`there is no command ${wanted.split('=', 1).join()}\n${usage()}`)
  const { given, positionals } = parsedArguments(named, words, program)
  if (valuesOf(program.options, given)['help'] === true)
    return { json: { name: named.name, summary: named.summary }, text: helpOf(named, program) }
  return named.run(context(positionals), given)
}
