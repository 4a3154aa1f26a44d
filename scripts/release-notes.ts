/** `npm run release-notes -- TAG`: prints what the changelog says of a release; fails if tag, version and changelog do not agree. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import manifest from '../package.json' with { type: 'json' }
import { releaseFacts } from './package/release-facts.ts'

const changelog = readFileSync(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8')
const facts = releaseFacts({ tag: process.argv[2] ?? '', version: manifest.version, changelog })
if ('notes' in facts) process.stdout.write(facts.notes)
else {
  console.error(facts.problem)
  process.exitCode = 1
}
