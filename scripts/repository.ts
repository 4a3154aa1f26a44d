/**
 * `npm run repository -- --key FINGERPRINT [--from DIR] [--out DIR]`: makes a signed repository for apt and dnf of the packages
 * in DIR (by default `dist`), in `dist/repository`. The key is one of GnuPG's on this computer.
 */

import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { makeRepository } from './package/repository.ts'
import { ensureSystem } from './runtime/debian.ts'
import { runScript, Unavailable } from './runtime/unavailable.ts'

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      key: { type: 'string' },
      from: { type: 'string', default: 'dist' },
      out: { type: 'string' },
    },
  })
  const { key, from } = values
  if (key === undefined) {
    console.error('Usage: npm run repository -- --key FINGERPRINT [--from DIR] [--out DIR]')
    return 2
  }
  await ensureSystem(['repository'])
  const out = resolve(values.out ?? join(from, 'repository'))
  const packages = await makeRepository({ from: resolve(from), out, key })
  if (packages.length === 0)
    throw new Unavailable('Packages', `there are none in ${from}. Run: npm run package -- deb rpm`)
  console.log(`${out}: ${packages.join(', ')}`)
  return 0
})
