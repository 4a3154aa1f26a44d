import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The tests that `no-network.test.ts` runs without a network. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('./', import.meta.url)),
    include: ['walk.ts'],
    pool: 'forks',
    testTimeout: 900_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
