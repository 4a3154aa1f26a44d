import type { Command } from './command.ts'

/** The list of commands, and what all of them take. */
export const help = (commands: readonly Command[]): string =>
  [
    'galley COMMAND [--library DIR] [--secrets keychain|env] [--json]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(18)}${summary}`),
    '',
    'galley COMMAND --help says what a command takes.',
    'GALLEY_LIBRARY and GALLEY_SECRETS stand for the options of the same name.',
  ].join('\n')
