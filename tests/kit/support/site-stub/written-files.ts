import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'

import { unzip } from '../strict-unzip.ts'

/** Unpacks like the worst backends: by the names in the archive. Files outside the temporary folder are not written. */
export async function writeAsNamed(archive: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-stub-'))
  for (const [name, bytes] of unzip(archive, { skips: true, ignoresNames: true }) ?? []) {
    const file = resolve(folder, name)
    const isHarmless = file.startsWith(`${folder}${sep}`) || /[/\\]galley-conformance-[^/\\]*[/\\][^/\\]*$/.test(file)
    if (!isHarmless) continue
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, bytes)
  }
  await rm(folder, { recursive: true, force: true })
}
