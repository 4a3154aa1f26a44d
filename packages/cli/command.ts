import type { ParseArgsConfig } from 'node:util'
import type { Network } from '@galley/platform'
import type { Failure } from '@galley/wire'
import { failureWords } from '@galley/wire'
import type { ZodType } from 'zod'

import type { Build } from './build.ts'
import type { Host } from './host.ts'
import type { CreateLibrary, LibraryPorts } from './ports.ts'
import { printable } from './table.ts'

/** Wrong usage: exit code 2. */
export class UsageError extends Error {}

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
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>
  readonly positionals: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** How requests leave this computer, as the environment says. */
  readonly network: Network
  readonly asJson: boolean
  /** The folder from `--library`. */
  readonly libraryFolder: string
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

/** A command: its name, arguments and action. */
export interface Command {
  /** For example `site add`. */
  readonly name: string
  /** The arguments after the name, for example `ID --base-url U`. */
  readonly usage: string
  readonly summary: string
  readonly options?: ParseArgsConfig['options']
  /** The names of the positional arguments. A name in brackets is optional. */
  readonly positionals: readonly string[]
  /** A server: neither a closed output nor an uncaught error ends it. */
  readonly servesOn?: true
  /** A stream prints with `emit` and returns null. */
  readonly run: (context: Context) => Promise<Output | null>
}

/** A string option, or null. Never empty. */
export function text({ options }: Context, name: string): string | null {
  const value = options[name]
  return typeof value === 'string' ? value : null
}

/** An option that `none` clears; undefined if absent. */
export function orNone<Value>(
  context: Context,
  name: string,
  read: (name: string, given: string) => Value,
): Value | null | undefined {
  const given = text(context, name)
  return given === null ? undefined : given === 'none' ? null : read(name, given)
}

export const asGiven = (_name: string, given: string): string => given

/** All values of a repeatable option. */
export function texts({ options }: Context, name: string): readonly string[] | null {
  const value = options[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null
}

/** All values of a repeatable option that `none` clears; undefined if absent. */
export function textsOrNone(context: Context, name: string): readonly string[] | undefined {
  const given = texts(context, name) ?? undefined
  if (given?.includes('none') !== true) return given
  if (given.length > 1) throw new UsageError(`--${name} none cannot be combined with another value`)
  return []
}

export const flag = ({ options }: Context, name: string): boolean => options[name] === true

/** The secret on standard input, without one line end, which the shell adds. */
export function secretFrom(stdin: string): string {
  const secret = stdin.replace(/\r?\n$/, '')
  if (secret === '') throw new UsageError('the secret on standard input is empty')
  return secret
}

/** The value of an option as this rule reads it. */
export function valid<Value>(rule: ZodType<Value>, given: string): Value {
  const read = rule.safeParse(given)
  if (!read.success) throw new UsageError(read.error.issues[0]?.message)
  return read.data
}

/** An integer within bounds, or null if absent. */
export function wholeNumber(context: Context, name: string, min: number, max: number): number | null {
  const given = text(context, name)
  if (given === null) return null
  const value = Number(given)
  if (!/^\d+$/.test(given) || value < min || value > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}`)
  }
  return value
}

/** One of several words, or null if absent. */
export function oneOf<Word extends string>(context: Context, name: string, words: readonly Word[]): Word | null {
  const given = text(context, name)
  if (given === null) return null
  const word = words.find((each) => each === given)
  if (word === undefined) throw new UsageError(`--${name} must be one of ${words.join(', ')}`)
  return word
}

/** The positional argument at this index. The parser has checked that required ones are present. */
export const positional = ({ positionals }: Context, at: number): string => positionals[at] ?? ''
