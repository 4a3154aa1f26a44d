/** Exports one state after another into the given folder, until it is killed. */

import { flushCompileCache } from 'node:module'

import { exportBundle } from '../../../packages/sites/exporting/export-bundle.ts'
import { plainOptions } from './sample-library.ts'
import { siteInState } from './site-in-state.ts'

const [, , directory = ''] = process.argv
// What was compiled is written for the next one now: a killed process writes nothing.
flushCompileCache()
process.stdout.write('started\n')
for (let state = 2; ; state = 3 - state) {
  const result = await exportBundle({
    source: siteInState(state).source(),
    target: { kind: 'folder', directory },
    options: plainOptions,
  })
  if (!result.ok) throw new Error(JSON.stringify(result.failure))
}
