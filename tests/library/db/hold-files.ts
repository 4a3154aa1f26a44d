import { openFileLock } from '../../../packages/library/db/file-lock.ts'

// Shares the files of the library it is given, for as long as it lives.
const [, , folder = ''] = process.argv
await openFileLock(folder).share()
process.stdout.write('shared\n')
setInterval(() => undefined, 60_000)
