import type { Start } from '@galley/cli'
import { run as runCommand } from '@galley/cli'

import { createGalley } from './galley.ts'

/** Runs a command on libraries of the composition root, and returns its exit code. */
export const run = (start: Omit<Start, 'createLibrary'>): Promise<number> =>
  runCommand({ ...start, createLibrary: createGalley })
