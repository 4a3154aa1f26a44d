/** Characters that no system has in names, and those that would show a name from right to left. */
const unusable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF<>:"/\\|?*]+/gu
/** What Windows takes for a device, whatever follows the first dot. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=$|[ .])/iu

/** Every system takes 255 bytes; the number, the ending and what a program adds to a second copy need room too. */
const titleBytes = 160

/** The beginning of a text that is at most so long in UTF-8. */
function cutAt(text: string, maxBytes: number): string {
  let cut = ''
  let bytes = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += Buffer.byteLength(segment)
    if (bytes > maxBytes) break
    cut += segment
  }
  return cut
}

/**
 * A name for a file of a version that every system takes. `named` puts title and number in words: `Harbour, version 3`.
 * @param ending Without a dot
 */
export function versionFileName(title: string, ending: string, named: (title: string) => string): string {
  const clean = cutAt(title.normalize('NFC').replace(unusable, ' ').replace(/\s+/gu, ' ').trim(), titleBytes)
    .replace(/^[. ]+|[. ]+$/gu, '')
    .replace(device, '_$&')
  return `${named(clean === '' ? 'Galley' : clean)}.${ending}`
}
