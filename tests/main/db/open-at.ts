/** Opens the library it is given at a moment it is given, and says what came of it. */
import { createIndex } from '../../../src/main/db/library-index.ts'

const [, , file = '', moment = '0'] = process.argv
process.stdout.write('ready\n')
// Several processes spin up to the same millisecond, so that their first reads of the file meet.
while (Date.now() < Number(moment));
try {
  const index = createIndex(file, () => undefined)
  index.settings.put(`opened by ${process.pid}`, 'yes')
  index.close()
  process.stdout.write('opened\n')
} catch (error) {
  process.stdout.write(`${String(error)}\n`)
}
