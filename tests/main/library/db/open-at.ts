/** Opens the library it is given at a moment it is given, and says what came of it. */
import { openLibrary } from '../../../../src/main/library/db/open-library.ts'

const [, , folder = '', moment = '0'] = process.argv
process.stdout.write('ready\n')
// Several processes spin up to the same millisecond, so that their first looks at the folder meet.
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
