/**
 * `npm run update-feed -- [--from DIR]`: signs the packages in DIR (by default `dist`), with the news of their version in
 * CHANGELOG.md and CHANGELOG.ru.md, and writes that there as `updates.json`. GALLEY_UPDATE_SIGNING_KEY has the private key, and
 * GALLEY_UPDATE_KEYS the public ones (SECURITY.md).
 */

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { ownReleaseFacts } from './package/release-facts.ts'
import { manifest } from './package/stage.ts'
import { feedName, writeFeed } from './package/update-feed.ts'
import { runScript, Unavailable } from './runtime/unavailable.ts'

await runScript(async () => {
  const { values } = parseArgs({ options: { from: { type: 'string', default: 'dist' } } })
  const { GALLEY_UPDATE_SIGNING_KEY: key, GALLEY_UPDATE_KEYS: keys } = process.env
  if (!key || !keys) {
    console.error('Usage: npm run update-feed -- [--from DIR], with GALLEY_UPDATE_SIGNING_KEY and GALLEY_UPDATE_KEYS')
    return 2
  }
  const { version } = manifest
  const facts = ownReleaseFacts({ tag: `v${version}`, version })
  if ('problem' in facts) throw new Unavailable('Release', facts.problem)
  const { news } = facts
  const date = new Date().toISOString()
  const names = await writeFeed({ folder: resolve(values.from), version, date, news, key, keys: keys.split(',') })
  console.log(`${feedName}: ${[version, ...names].join(', ')}`)
  return 0
})
