/**
 * `npm run bench`: measures saves and the window of the built product, and prints every figure next to its goal. Asserts
 * nothing.
 */

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { benchDesk } from './bench/desk.ts'
import { benchEmulatorSaves } from './bench/emulator-saves.ts'
import { benchExport } from './bench/export-site.ts'
import { printFigures, type Figure } from './bench/figure.ts'
import { benchInterface } from './bench/interface.ts'
import { benchLargeArchive } from './bench/large-archive.ts'
import { benchLargePages } from './bench/large-pages.ts'
import { machineLine } from './bench/machine.ts'
import { benchManyFiles } from './bench/many-files.ts'
import { benchPublish } from './bench/publish-site.ts'
import { benchSearch } from './bench/search.ts'
import { benchSmallSaves } from './bench/small-saves.ts'
import type { BenchOptions } from './bench/stage.ts'
import { benchTeam } from './bench/team.ts'
import { ensureBuilt } from './runtime/built.ts'
import { withLock } from './runtime/lock.ts'
import { scratchFolder } from './runtime/project.ts'
import { runScript, Unavailable } from './runtime/unavailable.ts'

const benches = {
  large: benchLargeArchive,
  many: benchManyFiles,
  pages: benchLargePages,
  small: benchSmallSaves,
  emulator: benchEmulatorSaves,
  interface: benchInterface,
  desk: benchDesk,
  search: benchSearch,
  export: benchExport,
  publish: benchPublish,
  team: benchTeam,
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    // For profiling the listener: --node-flag=--cpu-prof
    'node-flag': { type: 'string', multiple: true, default: [] },
  },
})

/** The figures of one part. A part that cannot run on this machine is reported, and the others continue. */
async function figuresOf(
  bench: (given: BenchOptions) => Promise<readonly Figure[]>,
  given: BenchOptions,
): Promise<readonly Figure[]> {
  try {
    return await bench(given)
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    console.error(`${error.part}: ${error.message}`)
    return []
  }
}

await runScript(async () => {
  const chosen = Object.entries(benches).filter(([name]) => options.only === undefined || options.only === name)
  if (chosen.length === 0) throw new Unavailable('Bench', `there are these: ${Object.keys(benches).join(', ')}`)
  await ensureBuilt()
  mkdirSync(scratchFolder, { recursive: true })
  // Two concurrent runs would disturb each other's figures.
  await withLock(join(scratchFolder, 'bench.lock'), async () => {
    // Under the lock, every other folder is left over from a killed run.
    for (const name of readdirSync(scratchFolder).filter((entry) => entry.startsWith('bench-'))) {
      rmSync(join(scratchFolder, name), { recursive: true, force: true })
    }
    const root = mkdtempSync(join(scratchFolder, 'bench-'))
    // Also after Ctrl-C: the listener and the service end with this process.
    const removeRoot = () => rmSync(root, { recursive: true, force: true })
    process.on('exit', removeRoot)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
    try {
      console.log(machineLine(root))
      const figures: Figure[] = []
      for (const [, bench] of chosen) {
        figures.push(...(await figuresOf(bench, { root, isQuick: options.quick, nodeFlags: options['node-flag'] })))
      }
      console.log('')
      printFigures(figures)
    } finally {
      removeRoot()
    }
  })
  return 0
})
