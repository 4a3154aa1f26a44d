import AdmZip from 'adm-zip'

const stored = 0

/** One file of an archive. Media and fonts are compressed formats already, so only texts are deflated. */
export interface ZipEntry {
  readonly name: string
  readonly content: Buffer | string
}

/**
 * Builds a ZIP in memory. It blocks for as long as that takes (checksums of 200 MB: under a second), in exchange for
 * which a save is one uninterrupted step up to its callback.
 */
export function buildZip(entries: readonly ZipEntry[], modifiedMs: number): Buffer {
  const zip = new AdmZip()
  for (const { name, content } of entries) {
    const entry = zip.addFile(name, Buffer.isBuffer(content) ? content : Buffer.from(content, 'utf8'))
    entry.header.time = new Date(modifiedMs)
    if (Buffer.isBuffer(content)) entry.header.method = stored
  }
  return zip.toBuffer()
}

/** The bytes of the named entries, as far as the archive has them. */
export function readEntries(archive: Buffer, names: readonly string[]): ReadonlyMap<string, Buffer> {
  const zip = new AdmZip(archive)
  const found = new Map<string, Buffer>()
  for (const name of names) {
    const bytes = zip.readFile(name)
    if (bytes !== null) found.set(name, bytes)
  }
  return found
}
