/** Broken twins: the product with one guard removed from outside, before its first line runs. */

import { join } from 'node:path'

import type { Environment } from '../../../tests/support/galley-process.ts'

const preload = join(import.meta.dirname, 'break.cjs')

/** The environment that turns a listener into this twin. Twins that change the service or the disk ignore it. */
export function twinEnvironment(twin: string | null, folder: string): Environment {
  if (twin === null) return {}
  return { NODE_OPTIONS: `--require=${preload}`, TORTURE_TWIN: twin, TORTURE_FOLDER: folder }
}
