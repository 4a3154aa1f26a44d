import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Runs a script of this folder in a process of its own, and gives what it said. */
export function runScript(script: string, args: readonly string[]): Promise<string> {
  const here = import.meta.dirname
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
      '--import',
      join(here, 'raw-sql.ts'),
      join(here, script),
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((resolve) => child.once('close', () => resolve(said)))
}
