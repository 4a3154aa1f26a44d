import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** The absolute path without symbolic links. Its last parts need not exist. */
export async function withoutLinks(path: string): Promise<string> {
  const at = resolve(path)
  try {
    return await realpath(at)
  } catch {
    return at === dirname(at) ? at : join(await withoutLinks(dirname(at)), basename(at))
  }
}
