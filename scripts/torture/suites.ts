/** Tortures that run a suite of `npm test` with more rounds. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'

import { projectRoot } from '../runtime/project.ts'
import { Unavailable } from '../runtime/unavailable.ts'
import type { Torture, Verdict } from './torture.ts'

interface Suite extends Pick<Torture, 'name' | 'goal' | 'title' | 'unit' | 'size'> {
  /** The suite's test files, relative to the project. */
  readonly files: string
  /** The environment variable for the number of rounds. */
  readonly variable: string
}

const suites: readonly Suite[] = [
  {
    name: 'ipc',
    goal: 'G21',
    title: 'hostile inputs to every call of the window: none throws, none reads or writes what it must not',
    unit: 'rounds',
    size: { long: 10_000, short: 100 },
    files: 'tests/main/ipc/*fuzz*.test.ts',
    variable: 'GALLEY_FUZZ_ROUNDS',
  },
  {
    name: 'rebuild',
    goal: 'G17',
    title: 'indexes rebuilt from the logs of generated histories are equal row by row',
    unit: 'histories',
    size: { long: 1_000, short: 20 },
    files: 'tests/library/db/apply/rebuild.test.ts',
    variable: 'GALLEY_REBUILD_ROUNDS',
  },
  {
    name: 'damage',
    goal: 'G17',
    title: 'damaged index pages and logs cut, flipped or incomplete: no crash, nothing lost silently',
    unit: 'places',
    size: { long: 1_000, short: 200 },
    files: 'tests/library/care/damage/*.test.ts',
    variable: 'GALLEY_DAMAGE_PLACES',
  },
  {
    name: 'team-model',
    goal: 'G26',
    title:
      'machines that share a bucket which loses, delays and repeats: each acknowledged save exactly once, equal rows',
    unit: 'seeds',
    size: { long: 100_000, short: 200 },
    files: 'tests/library/{team/model,db/team}/*.test.ts',
    variable: 'GALLEY_TEAM_SEEDS',
  },
]

/** These have no twins: the suites themselves test their guards. */
export const suiteTortures: readonly Torture[] = suites.map(({ files, variable, ...suite }) => ({
  ...suite,
  twins: {},
  async run({ size, say }): Promise<Verdict> {
    const found = globSync(files, { cwd: projectRoot })
    if (found.length === 0) throw new Unavailable('Torture', `there is no ${files}`)
    const vitest = join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs')
    const child = spawn(process.execPath, [vitest, 'run', '--testTimeout=0', ...found], {
      cwd: projectRoot,
      env: { ...process.env, [variable]: String(size) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => say(text.trimEnd()))
    const [code] = (await once(child, 'close')) as [number | null]
    return {
      figures: { [suite.unit]: size, files: found.length },
      broken: code === 0 ? [] : [`vitest ended with ${code}`],
    }
  },
}))
