import { existsSync, statfsSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'

import { testTwin } from './scripts/package/test-twin.ts'
import { LongestFirst } from './scripts/runtime/longest-first.ts'

/** The pure core and what lies close to it: these tests need no build, no display and no keychain. */
const unit = [
  // Without what reads the built code, here as below.
  'tests/{architecture,compare,docs,ipc,renderer,service,texts,wire}/**/!(start).test.ts',
  'tests/library/{log,records,secrets,settings,team,views}/**/*.test.ts',
  'tests/library/vault/**/!(vault).test.ts',
  'tests/platform/**/!(background|source-positions).test.ts',
  'tests/sites/bundle/**/*.test.ts',
]

/** Libraries load nearly all of the product. Without what measures or disturbs its own process. */
const library = [
  'tests/library/**/!(client|memory-return).test.ts',
  'tests/platform/**/!(background).test.ts',
  'tests/{main,team}/**/*.test.ts',
]

/** Suites that use the one display or keychain, or kill processes: one file at a time. */
const alone = ['e2e', 'kill', 'keychain', 'attacks'].map((suite) => `tests/${suite}/**/*.test.ts`)

/**
 * Journeys that need what only a package has: an archive in place of the app's folder. On Linux they run on the app as it
 * is installed, elsewhere on the checkout as all others do.
 */
const packaged = (
  process.platform === 'linux'
    ? [
        'first-run',
        'sample',
        'open-in-editor',
        'desk',
        'exports',
        'publish',
        'security-window',
        'shutdown',
        'links',
        'updates',
        'developer',
        'package',
      ]
    : []
).map((journey) => `tests/e2e/${journey}.test.ts`)

/** Each of these keeps a processor busy for minutes, and measures what it does. */
const torture = ['tests/torture/**/*.test.ts']

/**
 * A window on a machine that is busy now and then misses what a person would simply click again. Only a wait of Playwright
 * that ran out is tried again, once, and `npm test` names the test with its first error. What failed otherwise has failed.
 */
const retry = { count: 1, condition: /Timeout \d+ms exceeded/ }

/** Set by scripts/test.ts where the system lacks what a suite needs. */
const leftOut = (process.env['GALLEY_TEST_LEFT_OUT'] ?? '').split(',').filter(Boolean)
const exclude = [...configDefaults.exclude, ...leftOut.map((folder) => `${folder}/**`)]

/**
 * Folders of tests in memory where it has room for them: most tests sync thousands of times, and in none does the power
 * fail. Suites of the project `machine` use the disk.
 */
const env = hasRoom('/dev/shm') ? { TMPDIR: '/dev/shm' } : {}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 4 * 1024 ** 3
}

/** Threads and command line run as they are built. Ceph starts once, when a test first asks for it. */
const globalSetup = ['tests/support/build-first.ts', 'tests/support/offer-ceph.ts']

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // A busy machine takes its time. A wait ends as soon as what it waits for is there, so its limit costs nothing. Tests
    // have no limit of their own but where they repeat something as often as they are told.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        // These tests change nothing of their process, so files share one: loading the same modules anew took half the time.
        test: { name: 'unit', env, include: unit, exclude, isolate: false, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        // They leave their process as they found it, so files share one, as above: a fifth of their processor time.
        test: {
          name: 'library',
          env,
          globalSetup,
          include: library,
          exclude: [...exclude, ...unit],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          env,
          globalSetup,
          include: ['tests/**/*.test.ts'],
          exclude: [...exclude, ...unit, ...library, ...alone, ...torture],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'torture',
          env,
          globalSetup,
          include: torture,
          exclude,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'machine',
          retry,
          globalSetup: [...globalSetup, 'tests/support/built-app.ts'],
          include: alone,
          exclude: [...exclude, ...packaged],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          retry,
          env: { GALLEY_TEST_ELECTRON: testTwin },
          globalSetup: [...globalSetup, 'tests/support/package-first.ts'],
          include: packaged,
          exclude,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
