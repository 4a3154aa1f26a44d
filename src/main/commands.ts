import type { Start } from './edges/cli/command.ts'
import { run as runCommand } from './edges/cli/run.ts'
import { createGalley } from './galley.ts'

/** Runs a command on libraries of the composition root, and returns its exit code. */
export const run = (start: Omit<Start, 'createLibrary'>): Promise<number> =>
  runCommand({ ...start, createLibrary: createGalley })
