/** Opens the library it is given, and dies in front of the n-th change of a file name that would have changed anything. */

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const [, , folder = '', limit = '0'] = process.argv
let count = 0
const orDie = (): void => {
  count += 1
  if (count === Number(limit)) process.kill(process.pid, 'SIGKILL')
}
const { renameSync, rmSync } = fs
fs.renameSync = (from, to) => {
  orDie()
  renameSync(from, to)
}
fs.rmSync = (path, options) => {
  if (fs.existsSync(path)) orDie()
  rmSync(path, options)
}
syncBuiltinESMExports()

const { openLibrary } = await import('../../../packages/library/db/open/open-library.ts')
const { close } = await openLibrary(
  folder,
  () => new Date(),
  () => undefined,
)
close()
process.stdout.write('opened\n')
