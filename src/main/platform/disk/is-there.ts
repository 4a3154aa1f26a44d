import { access } from 'node:fs/promises'

/** Whether something can be reached at this path. */
export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
