/**
 * `npm run production-electron -- DIR`: copies an Electron for packaging to DIR, sets its production fuses and verifies
 * them.
 */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { findElectron } from './runtime/electron.ts'
import { productionElectron, readFuses, wrongFuses } from './runtime/fuses.ts'
import { distOf } from './runtime/official-electron.ts'
import { Unavailable, runScript } from './runtime/unavailable.ts'

await runScript(async () => {
  const [target] = process.argv.slice(2)
  if (target === undefined || existsSync(target)) {
    console.error('Usage: npm run production-electron -- DIR, where DIR does not exist yet')
    return 2
  }
  const electron = await findElectron()
  if (electron.origin === 'fallback') {
    throw new Unavailable(
      'Electron',
      'the fallback is a development runtime, of a line that gets no security fixes. Package with the official one.',
    )
  }
  const executable = await productionElectron(distOf(electron.executable), resolve(target))
  const fuses = await readFuses(executable)
  for (const [name, isOn] of Object.entries(fuses)) console.log(`${isOn ? 'on ' : 'off'}  ${name}`)
  const wrong = await wrongFuses(executable)
  for (const name of wrong) console.error(`${name} is not as it has to be`)
  return wrong.length === 0 ? 0 : 1
})
