/** Builds the app when its output is older than its sources, and only then. */

import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import { withLock } from './lock.ts'
import { capture } from './processes.ts'
import { projectRoot, scratchFolder } from './project.ts'
import { fingerprint, isStale, stampFile } from './staleness.ts'
import { Unavailable } from './unavailable.ts'

const out = join(projectRoot, 'out')

/** The command line's entry in the built output. */
export const cliFile = join(out, 'main', 'cli.js')

/** The commands without the process around them: its `run` runs one in the caller's process. */
export const commandsFile = join(out, 'main', 'commands.js')

/** Makes sure that `out/` exists and is up to date. Prints nothing on stdout; takes a few milliseconds if nothing changed. */
export async function ensureBuilt(): Promise<void> {
  if (!isStale(projectRoot)) return
  await withLock(join(scratchFolder, 'build.lock'), async () => {
    if (isStale(projectRoot)) await build()
  })
}

/** Builds next to `out/` and swaps, so that a build that fails or is killed leaves no incomplete output. */
async function build(): Promise<void> {
  const builtFrom = fingerprint(projectRoot)
  // Under the lock, every other staging folder is left over from a killed build.
  for (const name of readdirSync(scratchFolder).filter((entry) => entry.startsWith('build-'))) {
    rmSync(join(scratchFolder, name), { recursive: true, force: true })
  }
  const staging = mkdtempSync(join(scratchFolder, 'build-'))
  try {
    const fresh = join(staging, 'out')
    await run('electron-vite', ['build', '--outDir', fresh])
    const editor = ['--config', 'editor.vite.config.ts', '--outDir', join(fresh, 'editor')]
    await run('vite', ['build', ...editor, '--emptyOutDir'])
    writeFileSync(join(fresh, stampFile), builtFrom)
    if (existsSync(out)) renameSync(out, join(staging, 'before'))
    renameSync(fresh, out)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

async function run(tool: 'electron-vite' | 'vite', args: readonly string[]): Promise<void> {
  const result = await capture(process.execPath, [scriptOf(tool), ...args], {
    cwd: projectRoot,
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (result.code !== 0) {
    throw new Unavailable('Build', `${tool} build failed.\n${result.stdout}${result.stderr}`.trimEnd())
  }
}

function scriptOf(tool: string): string {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${tool}/package.json`)
    return join(dirname(manifest), 'bin', `${tool}.js`)
  } catch {
    throw new Unavailable('Build', 'the development packages are not installed. Run `npm ci` first.')
  }
}
