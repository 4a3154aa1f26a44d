/** Position of a file's bytes in an archive. */
export interface StoredFile {
  readonly name: string
  readonly start: number
  readonly sizeBytes: number
}

const localHeaderSign = 0x04034b50
const localHeaderBytes = 30
const storedMethod = 0

/**
 * Finds the uncompressed files of an archive written by `buildZip`, as all media and fonts are, so that single files
 * can be read. It follows the local headers, in which `buildZip` writes the actual sizes.
 */
export function storedFilesOf(archive: Buffer): readonly StoredFile[] {
  const found: StoredFile[] = []
  let at = 0
  while (at + localHeaderBytes <= archive.length && archive.readUInt32LE(at) === localHeaderSign) {
    const sizeBytes = archive.readUInt32LE(at + 18)
    const nameStart = at + localHeaderBytes
    const nameEnd = nameStart + archive.readUInt16LE(at + 26)
    const start = nameEnd + archive.readUInt16LE(at + 28)
    if (archive.readUInt16LE(at + 8) === storedMethod)
      found.push({ name: archive.toString('utf8', nameStart, nameEnd), start, sizeBytes })
    at = start + sizeBytes
  }
  return found
}
