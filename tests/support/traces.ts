import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { readWithYauzl } from './unzip.ts'

/** The encodings of a text: plain, percent-encoded, and escaped in JSON. */
const formsOf = (text: string): readonly string[] => [
  text,
  text.replace('@', '%40'),
  encodeURIComponent(text),
  JSON.stringify(text).slice(1, -1),
  text.replaceAll(/[^\w.-]/g, (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
]

/**
 * The names of all files below a folder that contain a text, such as an e-mail address or a token, in any of these
 * encodings. Kept archives and checkpoints are also searched unpacked.
 */
export async function traces(folder: string, text: string): Promise<readonly string[]> {
  const forms = formsOf(text).map((form) => form.toLowerCase())
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const hits: string[] = []
  for (const entry of entries.filter((each) => each.isFile())) {
    const bytes = await readIfThere(join(entry.parentPath, entry.name))
    const parts: Buffer[] = [bytes]
    if (entry.name.endsWith('.gz')) parts.push(gunzipSync(bytes))
    if (bytes.subarray(0, 2).toString() === 'PK') parts.push(...Object.values(await readWithYauzl(bytes)))
    const texts = parts.map((part) => part.toString('latin1').toLowerCase())
    if (texts.some((each) => forms.some((form) => each.includes(form)))) hits.push(entry.name)
  }
  return hits
}

/** Empty if the file is gone: SQLite removes its own while Galley runs. */
const readIfThere = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  })
