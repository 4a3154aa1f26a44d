import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const nodeSays = (...args: string[]) => {
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return stdout + stderr
}
const script = (name: string): string => join(import.meta.dirname, '../../scripts', name)

// Vitest resolves more than Node does, such as imports of JSON without an attribute.
test('Node alone loads all benches and tortures', () => {
  expect(nodeSays(script('torture.ts'), '--list')).toContain('kills')
  // Options are read after everything is loaded.
  expect(nodeSays(script('bench.ts'), '--no-such-option')).toContain('ERR_PARSE_ARGS_UNKNOWN_OPTION')
})
