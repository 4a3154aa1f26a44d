/** Where the bytes of one file lie inside an archive. */
export interface StoredFile {
  readonly name: string
  readonly start: number
  readonly sizeBytes: number
}

const localHeaderSign = 0x04034b50
const localHeaderBytes = 30
const storedMethod = 0

/**
 * The files of an archive of our own that stand in it uncompressed, as all media and fonts do: so that one can be read
 * without the others. It walks the local headers, which `buildZip` gives the true sizes.
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
