import { open } from 'node:fs/promises'

/** Makes what was created, renamed and removed in a folder outlive a power cut; Windows has no such call and needs none. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
