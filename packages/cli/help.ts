import type { Command, CommandGroups } from './command.ts'
import type { Option, Options } from './option.ts'
import { choice, dashed, flag, text } from './option.ts'

/** The options of every command. */
export const globalOptions = {
  library: {
    ...text('DIR', 'the folder of the library', '/srv/galley/library'),
    default: 'GALLEY_LIBRARY, or the library of the app',
  },
  secrets: {
    ...choice(
      ['keychain', 'env'],
      'where secrets are: in the keychain of the system, or in variables of the environment',
    ),
    default: 'GALLEY_SECRETS, or keychain',
  },
  json: flag('print one JSON value for scripts; messages go to standard error'),
  help: flag('show the options of a command'),
} as const

/** What runs commands: its name, and the options that all of them have. */
export interface Program {
  readonly name: string
  readonly options: Options
}

export const galleyProgram: Program = { name: 'galley', options: globalOptions }

/** How an option is written: `--keep-days N`. */
export const optionForm = (name: string, { value }: Option): string =>
  `--${dashed(name)}${value === null ? '' : ` ${value}`}`

/** All arguments of a command in one line. */
export const usageOf = ({ positionals, options }: Command): string =>
  [
    ...Object.keys(positionals),
    ...Object.entries(options).map(([name, option]) => {
      const form = option.isNeeded ? optionForm(name, option) : `[${optionForm(name, option)}]`
      return `${form}${option.isRepeatable ? '...' : ''}`
    }),
  ].join(' ')

/** The arguments that a command cannot do without, in one line. */
export function shortUsageOf({ positionals, options }: Command): string {
  const all = Object.entries(options)
  const needed = all.filter(([, { isNeeded }]) => isNeeded).map(([name, option]) => optionForm(name, option))
  const more = all.length > needed.length ? ['[OPTIONS]'] : []
  return [...Object.keys(positionals), ...needed, ...more].join(' ')
}

/** What an option does, its default, and a value of it where its name shows none. */
export function optionWords(option: Option): string {
  const { says, value, isRepeatable, choices, example, default: usual } = option
  const notes = [
    ...(value === 'WORD' && choices !== undefined ? [`one of ${choices.join(', ')}`] : []),
    ...(isRepeatable ? ['may be repeated'] : []),
    ...(usual === undefined ? [] : [`default: ${usual}`]),
    ...(choices === undefined && example !== undefined ? [`example: ${example}`] : []),
  ]
  return notes.length === 0 ? says : `${says} [${notes.join('; ')}]`
}

const columns = 80

/** Words in lines that are not longer than a terminal, all but the first behind `indent` spaces. */
function wrapped(words: string, indent: number, between: string | RegExp = ' ', width = columns): string {
  const lines: string[] = []
  let line = ''
  for (const word of words.split(between)) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}

/** Terms and what they mean, in two columns; a long term has a line of its own. */
function rows(all: readonly (readonly [term: string, words: string])[], widest: number): readonly string[] {
  const width = Math.min(widest, Math.max(...all.map(([term]) => term.length)))
  const indent = width + 4
  return all.map(([term, words]) =>
    term.length > width
      ? `  ${term}\n${' '.repeat(indent)}${wrapped(words, indent)}`
      : `  ${term.padEnd(width + 2)}${wrapped(words, indent)}`,
  )
}

const optionRows = (options: Options): readonly string[] =>
  rows(
    Object.entries(options).map(([name, option]) => [optionForm(name, option), optionWords(option)] as const),
    26,
  )

/** A command line; one that is too long goes on in a second line, as a shell reads it. */
const exampleLine = (line: string): string =>
  wrapped(line, 4, / (?=--|<)/, columns - ' \\'.length).replaceAll('\n', ' \\\n')

export const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`

/** What a command does and takes, for a terminal of 80 columns. */
export function helpOf(command: Command, program = galleyProgram): string {
  const { name, summary, detail, positionals, options, examples } = command
  const sections = [
    [wrapped(sentence(summary), 0), ...(detail === undefined ? [] : ['', wrapped(detail, 0)])],
    [`Usage: ${wrapped(`${program.name} ${name} ${shortUsageOf(command)}`.trim(), 7)}`],
    ...section('Arguments', rows(Object.entries(positionals), 26)),
    ...section('Options', optionRows(options)),
    ['Options of every command:', ...optionRows(program.options)],
    ['Examples:', ...examples.map((each) => `  ${exampleLine(`${program.name} ${name} ${each}`.trim())}`)],
  ]
  return sections.map((lines) => lines.join('\n')).join('\n\n')
}

const section = (title: string, lines: readonly string[]): readonly (readonly string[])[] =>
  lines.length === 0 ? [] : [[`${title}:`, ...lines]]

/** The names of commands and what they do. */
export const commandLines = (commands: readonly Command[]): readonly string[] =>
  rows(
    commands.map(({ name, summary }) => [name, summary] as const),
    18,
  )

/** All commands, by subject. */
export const helpOfAll = (commandGroups: CommandGroups): string =>
  [
    'Usage: galley COMMAND [OPTIONS]',
    ...Object.entries(commandGroups).map(([title, commands]) => [`${title}:`, ...commandLines(commands)].join('\n')),
    ['Options of every command:', ...optionRows(globalOptions)].join('\n'),
    'galley help COMMAND explains one command, with examples.',
  ].join('\n\n')
