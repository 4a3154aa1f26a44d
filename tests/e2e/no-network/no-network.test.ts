import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

import { runCutOff } from './cut-off.ts'

// A process must be started inside a namespace, and so must the test that drives its window. This test therefore starts
// a nested test run.
const runner = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const config = fileURLToPath(new URL('vitest.config.ts', import.meta.url))

test('cut off from everything but this machine, Galley works', async () => {
  const { code, said } = await runCutOff([process.execPath, runner, 'run', '--config', config])
  expect(code, said).toBe(0)
})
