import { spawn } from 'node:child_process'
import { once } from 'node:events'

// One program per environment: the tsconfig of a folder defines what its files can access.
const projects = [
  'src/contract',
  'src/texts',
  'src/main',
  'src/emulator',
  'src/emulator/editor',
  'src/conformance',
  'src/preload',
  'src/renderer',
  'src/site-search',
  'scripts',
  'tests',
]

for (const project of projects) {
  const check = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], { stdio: 'inherit' })
  const [code] = (await once(check, 'exit')) as [number | null]
  if (code !== 0) process.exitCode = 1
}
