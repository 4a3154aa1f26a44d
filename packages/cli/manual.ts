import type { Command, CommandGroups } from './command.ts'
import { command } from './command.ts'
import { globalOptions, optionForm, optionWords, sentence, shortUsageOf } from './help.ts'
import type { Options } from './option.ts'

/** Text of a page of man, where some characters have a meaning of their own. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')

const term = (name: string, words: string): readonly string[] => ['.TP', `\\fB${plain(name)}\\fR`, plain(`${words}.`)]

const optionTerms = (options: Options): readonly string[] =>
  Object.entries(options).flatMap(([name, option]) => term(optionForm(name, option), optionWords(option)))

const commandLines = (each: Command): readonly string[] => [
  `.SS ${plain(`galley ${each.name} ${shortUsageOf(each)}`.trim())}`,
  plain(sentence(each.summary)),
  ...(each.detail === undefined ? [] : ['.PP', plain(each.detail)]),
  ...Object.entries(each.positionals).flatMap(([name, says]) => term(name, says)),
  ...optionTerms(each.options),
  '.PP',
  each.examples.length === 1 ? 'Example:' : 'Examples:',
  '.PP',
  '.nf',
  '.RS 4',
  ...each.examples.map((example) => plain(`galley ${each.name} ${example}`.trim())),
  '.RE',
  '.fi',
]

/** The page of man, in its language. */
const pageOf = (groups: CommandGroups, version: string, at: Date): string =>
  [
    `.TH GALLEY 1 ${at.toISOString().slice(0, 10)} "Galley ${version}"`,
    '.SH NAME',
    'galley \\- site side of a hosted layout editor',
    '.SH SYNOPSIS',
    '\\fBgalley\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]',
    '.SH DESCRIPTION',
    'Galley opens editing sessions with a hosted layout editor, receives every save, keeps all versions on this computer,',
    'and publishes them as a static site.',
    'The command line works on the same library as the app.',
    '.SH OPTIONS OF EVERY COMMAND',
    ...optionTerms(globalOptions),
    ...Object.entries(groups).flatMap(([title, commands]) => [
      `.SH ${title.toUpperCase()}`,
      ...commands.flatMap(commandLines),
    ]),
    '.SH ENVIRONMENT',
    ...term('GALLEY_LIBRARY', 'the folder of the library, without --library'),
    ...term('GALLEY_SECRETS', 'where secrets are, without --secrets'),
    '.SH EXIT STATUS',
    '0: done. 1: failed. 2: wrong usage.',
    '',
  ].join('\n')

/** Prints the page of man. */
export const manualOf = (groups: () => CommandGroups): Command =>
  command({
    name: 'manual',
    summary: 'print this manual as a page of man',
    detail: 'Packages install it.',
    examples: [''],
    run: async ({ environment, line }) => {
      // Packages that are built twice are equal.
      const { SOURCE_DATE_EPOCH: seconds } = environment
      const page = pageOf(groups(), line.version, seconds === undefined ? new Date() : new Date(Number(seconds) * 1000))
      return { json: { page }, text: page.trimEnd(), isExact: true }
    },
  })
