import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { readWithYauzl } from './unzip.ts'

/**
 * Names of all files below a folder in which a form of an e-mail address stands: as it is, percent-encoded, or escaped in
 * JSON. Kept archives and checkpoints are looked at unpacked as well.
 */
export async function traces(folder: string, email: string): Promise<readonly string[]> {
  const forms = [email, email.replace('@', '%40'), email.replace('@', String.raw`\u0040`)]
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const hits: string[] = []
  for (const entry of entries.filter((each) => each.isFile())) {
    const bytes: Buffer = await readFile(join(entry.parentPath, entry.name))
    const parts: Buffer[] = [bytes]
    if (entry.name.endsWith('.gz')) parts.push(gunzipSync(bytes))
    if (bytes.subarray(0, 2).toString() === 'PK') parts.push(...Object.values(await readWithYauzl(bytes)))
    const texts = parts.map((part) => part.toString('latin1').toLowerCase())
    if (texts.some((text) => forms.some((form) => text.includes(form)))) hits.push(entry.name)
  }
  return hits
}
