/**
 * `npm run update-feed -- --news FILE [--from DIR]`: signs what is new for the packages in DIR (by default `dist`) and writes it
 * there as `updates.json`. FILE is JSON, `{"en": …, "ru": …}`, as plain text. GALLEY_UPDATE_SIGNING_KEY has the private key, and
 * GALLEY_UPDATE_KEYS the public ones (SECURITY.md).
 */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

import type { Release } from '../packages/update/feed.ts'
import { manifest } from './package/stage.ts'
import { feedName, writeFeed } from './package/update-feed.ts'
import { runScript } from './runtime/unavailable.ts'

await runScript(async () => {
  const { values } = parseArgs({ options: { news: { type: 'string' }, from: { type: 'string', default: 'dist' } } })
  const { GALLEY_UPDATE_SIGNING_KEY: key, GALLEY_UPDATE_KEYS: keys } = process.env
  if (values.news === undefined || !key || !keys) {
    console.error(
      'Usage: npm run update-feed -- --news FILE [--from DIR], with GALLEY_UPDATE_SIGNING_KEY and GALLEY_UPDATE_KEYS',
    )
    return 2
  }
  const names = await writeFeed({
    folder: resolve(values.from),
    version: manifest.version,
    date: new Date().toISOString(),
    news: JSON.parse(readFileSync(values.news, 'utf8')) as Release['news'],
    key,
    keys: keys.split(','),
  })
  console.log(`${feedName}: ${[manifest.version, ...names].join(', ')}`)
  return 0
})
