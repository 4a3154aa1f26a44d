import type { Start } from '@galley/cli'
import { run as runCommand } from '@galley/cli'

import type { GalleyEdges } from './galley.ts'
import { createGalley } from './galley.ts'

/** Runs a command on libraries of the composition root, with these edges replaced, and returns its exit code. */
export const run = (start: Omit<Start, 'createLibrary'>, edges: Partial<GalleyEdges> = {}): Promise<number> =>
  runCommand({ ...start, createLibrary: (options) => createGalley({ ...options, ...edges }) })
