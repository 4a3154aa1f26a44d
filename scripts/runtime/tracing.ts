/** Whether system calls can be watched; not every container lets a process look into another one. */
import { capture } from './processes.ts'

/** Whether this user may. */
export const canTrace = (): Promise<boolean> =>
  capture('strace', ['-o', '/dev/null', 'true']).then(
    ({ code }) => code === 0,
    () => false,
  )
