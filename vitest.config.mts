import { configDefaults, defineConfig } from 'vitest/config'

/** Suites that start processes, use the one keychain, or measure what a kill leaves: each file has the machine to itself. */
const alone = ['e2e', 'kill', 'keychain', 'attacks'].map((suite) => `tests/${suite}/**/*.test.ts`)

/** Set by scripts/test.ts where the system lacks what a suite needs. */
const leftOut = (process.env['GALLEY_TEST_LEFT_OUT'] ?? '').split(',').filter(Boolean)
const exclude = [...configDefaults.exclude, ...leftOut.map((folder) => `${folder}/**`)]

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: 'tests/support/build-first.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A busy machine takes its time; a wait ends as soon as what it waits for is there.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: ['tests/**/*.test.ts'],
          exclude: [...exclude, ...alone],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'machine',
          include: alone,
          exclude,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
