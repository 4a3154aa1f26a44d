/** Tells whether system calls can be traced. Not every container allows it. */

import { capture } from './processes.ts'

/** Whether this user may trace processes. */
export const canTrace = (): Promise<boolean> =>
  capture('strace', ['-o', '/dev/null', 'true']).then(
    ({ code }) => code === 0,
    () => false,
  )
