import type { ParseArgsConfig } from 'node:util'

import type { createGalley } from '../../galley.ts'

/** Wrong usage: exit 2. */
export class UsageError extends Error {}

/** Right usage that did not work out: exit 1, with a code for scripts. */
export class CommandFailure extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** What a command prints: one JSON value for scripts, a text for people. */
export interface Output {
  readonly json: unknown
  readonly text: string
  /** Exit code when it is not 0, for commands that report findings. */
  readonly exitCode?: number
}

/** What the command line is given by the process it runs in. */
export interface CommandLine {
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** The folder of the build. */
  readonly built: string
  readonly workerScript: string
  readonly backgroundScript: string
  /** Where the built pages lie: the emulator's editor is one of them. */
  readonly editorFolder: string
  readonly themesFolder: string
  readonly demoFolder: string
}

/** The library that a command works with. */
export type Library = Awaited<ReturnType<typeof createGalley>>

/** What a command may use; nothing in it is touched before it is asked for. */
export interface Context {
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>
  readonly positionals: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly asJson: boolean
  /** The folder that `--library` names. */
  readonly libraryFolder: string
  /** Opens the library; it is closed when the command ends. */
  readonly galley: () => Promise<Library>
  /** Closes the library before that; the next `galley` opens it again. */
  readonly closeLibrary: () => Promise<void>
  /** True with `--secrets env`. */
  readonly secretsFromEnvironment: boolean
  readonly readStdin: () => Promise<string>
  /** One line of a stream: JSON with `--json`, the text otherwise. */
  readonly emit: (json: unknown, text: string) => void
  readonly log: (line: string) => void
  readonly line: CommandLine
  /** Aborts on the first SIGINT or SIGTERM. */
  readonly interrupted: AbortSignal
}

/** One command: its words, what it takes, what it does. */
export interface Command {
  /** E.g. `site add`. */
  readonly name: string
  /** What stands behind the name, e.g. `ID --base-url U`. */
  readonly usage: string
  readonly summary: string
  readonly options?: ParseArgsConfig['options']
  /** Names of the positionals; a name in brackets may be left out. */
  readonly positionals: readonly string[]
  /** It serves others than its reader: neither a closed output nor a fault outside of every call ends it. */
  readonly servesOn?: true
  /** A stream prints by `emit` and returns null. */
  readonly run: (context: Context) => Promise<Output | null>
}

/** A string option, or null. */
export function text({ options }: Context, name: string): string | null {
  const value = options[name]
  return typeof value === 'string' ? value : null
}

/** Every value of an option that may be given several times. */
export function texts({ options }: Context, name: string): readonly string[] | null {
  const value = options[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : null
}

export const flag = ({ options }: Context, name: string): boolean => options[name] === true

/** A whole number within bounds, or null when it was not given. */
export function wholeNumber(context: Context, name: string, min: number, max: number): number | null {
  const given = text(context, name)
  if (given === null) return null
  const value = Number(given)
  if (!/^\d+$/.test(given) || value < min || value > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}`)
  }
  return value
}

/** One of a few words, or null when it was not given. */
export function oneOf<Word extends string>(context: Context, name: string, words: readonly Word[]): Word | null {
  const given = text(context, name)
  if (given === null) return null
  const word = words.find((each) => each === given)
  if (word === undefined) throw new UsageError(`--${name} must be one of ${words.join(', ')}`)
  return word
}

/** The positional at this place; the parser has seen to it that required ones are there. */
export const positional = ({ positionals }: Context, at: number): string => positionals[at] ?? ''
