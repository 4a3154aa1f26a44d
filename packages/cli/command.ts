import type { Network } from '@galley/platform'
import type { Failure } from '@galley/wire'
import { failureWords } from '@galley/wire'

import type { Build } from './build.ts'
import type { Host } from './host.ts'
import type { Given, Options, Values } from './option.ts'
import { UsageError, valuesOf } from './option.ts'
import type { CreateLibrary, LibraryPorts } from './ports.ts'
import { printable } from './table.ts'

/** A failed command: exit code 1, with a code for scripts. */
export class CommandFailure extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** An expected failure as that of a command. */
export const failed = (failure: Failure | (Failure & Readonly<Record<string, unknown>>)): CommandFailure =>
  new CommandFailure(failure.code, printable(failureWords(failure)))

/** The output of a command: a JSON value for scripts, a text for people. */
export interface Output {
  readonly json: unknown
  /** Its control characters are replaced when it is printed. */
  readonly text: string
  /** Whether the text is a stored one, which is printed byte by byte. */
  readonly isExact?: boolean
  /** The exit code if it is not 0, for commands that report findings. */
  readonly exitCode?: number
}

/** A list that may be larger than memory: a JSON array of its rows, or a table. */
export interface List<Row> {
  /** Called twice: the first time for the widths of the columns, and for damage, before anything is printed. */
  readonly rows: () => Iterable<Row>
  readonly json: (row: Row) => unknown
  readonly headings: readonly string[]
  readonly cells: (row: Row) => readonly string[]
  /** The text without rows. */
  readonly none: string
}

/** What the process provides to a command. */
export interface Start {
  readonly host: Host
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The folder of this build of Galley. */
  readonly buildFolder: string
  readonly createLibrary: CreateLibrary
}

export type CommandLine = Start & Build

/** The context of a command. Everything is created on demand. */
export interface Context {
  readonly positionals: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** How requests leave this computer, as the environment says. */
  readonly network: Network
  readonly asJson: boolean
  /** The folder of the library: from `--library`, the environment, or the usual one. */
  readonly libraryFolder: string
  /** Whether `--library` was given. */
  readonly isLibraryGiven: boolean
  /** Opens the library. It is closed when the command ends. */
  readonly galley: () => Promise<LibraryPorts>
  /** Closes the library earlier. The next `galley` opens it again. */
  readonly closeLibrary: () => Promise<void>
  /** True with `--secrets env`. */
  readonly secretsFromEnvironment: boolean
  readonly readStdin: () => Promise<string>
  /** Prints a line of a stream: JSON with `--json`, otherwise the text. */
  readonly emit: (json: unknown, text: string) => void
  /** Prints a list row by row. */
  readonly list: <Row>(list: List<Row>) => Promise<null>
  readonly log: (line: string) => void
  readonly line: CommandLine
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly interrupted: AbortSignal
}

/** A command: everything that is known of it, and its action. */
export interface Command {
  /** For example `site add`. */
  readonly name: string
  /** One line, without a full stop. */
  readonly summary: string
  /** What else a person should know. */
  readonly detail?: string
  /** What each positional argument is. A name in brackets is optional. */
  readonly positionals: Readonly<Record<string, string>>
  readonly options: Options
  /** What may follow the name. */
  readonly examples: readonly string[]
  /** A server: neither a closed output nor an uncaught error ends it. */
  readonly servesOn?: true
  /** A stream prints with `emit` and returns null. Throws UsageError before it begins if an option is wrong. */
  readonly run: (context: Context, given: Given) => Promise<Output | null>
}

/** Commands by subject. */
export type CommandGroups = Readonly<Record<string, readonly Command[]>>

interface Declared<Own extends Options> extends Pick<Command, 'name' | 'summary' | 'detail' | 'examples' | 'servesOn'> {
  readonly positionals?: Command['positionals']
  readonly options?: Own
  readonly run: (context: Context, options: Values<Own>) => Promise<Output | null>
}

/** A command whose action gets the values of its options. */
export const command = <Own extends Options>(declared: Declared<Own>): Command => ({
  positionals: {},
  options: {},
  ...declared,
  run: async (context, given) => declared.run(context, valuesOf(declared.options ?? ({} as Own), given)),
})

/** The secret on standard input, without one line end, which the shell adds. */
export function secretFrom(stdin: string): string {
  const secret = stdin.replace(/\r?\n$/, '')
  if (secret === '') throw new UsageError('the secret on standard input is empty')
  return secret
}

/** The positional argument at this index. The parser has checked that required ones are present. */
export const positional = ({ positionals }: Context, at: number): string => positionals[at] ?? ''
