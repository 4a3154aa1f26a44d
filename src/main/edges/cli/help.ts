import type { Command } from './command.ts'

/** The list of commands and the global options. */
export const help = (commands: readonly Command[]): string =>
  [
    'galley COMMAND [--library DIR] [--secrets keychain|env] [--json]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(20)}${summary}`),
    '',
    'Run galley COMMAND --help for the options of a command.',
    'GALLEY_LIBRARY and GALLEY_SECRETS set the defaults of --library and --secrets.',
  ].join('\n')
