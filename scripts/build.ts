/** `npm run build`: builds the app into `out/` unless it is already up to date. */

import { ensureBuilt } from './runtime/built.ts'
import { runScript } from './runtime/unavailable.ts'

await runScript(async () => {
  await ensureBuilt()
  return 0
})
