import { stat } from 'node:fs/promises'

/** The size of these files together, in bytes. Files that cannot be read count 0. */
export async function sizeOfFiles(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
