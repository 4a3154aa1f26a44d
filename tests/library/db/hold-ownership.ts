/** Owns the library it is given until it is killed. */

import { takeOwnership } from '../../../packages/library/db/owner.ts'

const [, , folder = '', url = ''] = process.argv
const ownership = takeOwnership(folder, process.pid)
if (ownership) ownership.announce(url)
process.stdout.write(ownership ? 'mine\n' : 'not mine\n')
setInterval(() => undefined, 60_000)
