/**
 * `npm run release-notes -- TAG`: prints what the changelog says of a release; fails if tag, version and changelogs do not agree.
 * Needs nothing installed.
 */

import manifest from '../package.json' with { type: 'json' }
import { ownReleaseFacts } from './package/release-facts.ts'

const facts = ownReleaseFacts({ tag: process.argv[2] ?? '', version: manifest.version })
if ('notes' in facts) process.stdout.write(facts.notes)
else {
  console.error(facts.problem)
  process.exitCode = 1
}
