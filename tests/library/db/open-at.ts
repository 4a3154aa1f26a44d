/** Opens the given library at the given moment, and reports the result. */

import { openLibrary } from '../../../packages/library/db/open/open-library.ts'

const [, , folder = '', moment = '0'] = process.argv
process.stdout.write('ready\n')
// Several processes wait actively for the same millisecond, so that they check the folder at the same time.
while (Date.now() < Number(moment));
try {
  const { index, close } = await openLibrary(
    folder,
    () => new Date(),
    () => undefined,
  )
  index.settings.put(`opened by ${process.pid}`, 'yes')
  close()
  process.stdout.write('opened\n')
} catch (error) {
  process.stdout.write(`${String(error)}\n`)
}
