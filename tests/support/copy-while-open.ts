import { cp } from 'node:fs/promises'
import { basename } from 'node:path'

/**
 * Copies the folder of a library that is open, as a kill would leave it. Without the words for searches: a thread opens
 * and closes them when it likes, and their files would come and go under the copy.
 */
export const copyWhileOpen = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, filter: (file) => !basename(file).startsWith('search.db') })
