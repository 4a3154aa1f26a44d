import { spawnSync } from 'node:child_process'

// One project per package and environment: its tsconfig.json says what its files can access.
const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b'], { stdio: 'inherit' })
process.exitCode = status ?? 1
