import { access } from 'node:fs/promises'

/** Whether the path exists and is accessible. */
export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
