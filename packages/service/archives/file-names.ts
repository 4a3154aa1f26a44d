/** A ZIP allows 65,535 bytes for a name; this leaves room for the folder. */
const nameMaxBytes = 65_000

/**
 * Whether a name can be stored unchanged below `vms_media/` or `vms_fonts/`: a relative path of plain segments. Names
 * may contain `/` and any other character, but must not escape the folder.
 */
export const isEntryName = (name: string): boolean =>
  name.isWellFormed() &&
  Buffer.byteLength(name) <= nameMaxBytes &&
  !/[\\\p{Cc}]/u.test(name) &&
  name.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')

/** Folder of the media in an archive (contract, Media ZIP contents). */
export const mediaFolder = 'vms_media/'

export const mediaEntry = (fileName: string): string => mediaFolder + fileName

/** Folder of the font files in an archive (contract, Fonts ZIP contents). */
export const fontsFolder = 'vms_fonts/'

export const fontEntry = (fileName: string): string => fontsFolder + fileName
