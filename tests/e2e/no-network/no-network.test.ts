import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

import { runCutOff } from './cut-off.ts'

// A namespace of the system can only be entered by a process that is started in it, and whoever drives a window has to
// be in there with it: so this test is a run of tests of its own.
const runner = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const config = fileURLToPath(new URL('vitest.config.ts', import.meta.url))

test('cut off from everything but this machine, Galley works', { timeout: 200_000 }, async () => {
  const { code, said } = await runCutOff([process.execPath, runner, 'run', '--config', config])
  expect(code, said).toBe(0)
})
