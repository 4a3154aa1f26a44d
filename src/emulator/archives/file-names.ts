/** Room for the folder is left of the 65,535 bytes that a ZIP has for a name. */
const nameMaxBytes = 65_000

/**
 * Whether a name can stand below `vms_media/` or `vms_fonts/` as it is: a relative path of plain segments. Names may
 * hold `/` and any other sign; a service hands out no archive that climbs out of its folder.
 */
export const isEntryName = (name: string): boolean =>
  name.isWellFormed() &&
  Buffer.byteLength(name) <= nameMaxBytes &&
  !/[\\\p{Cc}]/u.test(name) &&
  name.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')

/** Where the media of an archive stand (contract, Media ZIP contents). */
export const mediaFolder = 'vms_media/'

export const mediaEntry = (fileName: string): string => mediaFolder + fileName

/** Where the font files of an archive stand (contract, Fonts ZIP contents). */
export const fontsFolder = 'vms_fonts/'

export const fontEntry = (fileName: string): string => fontsFolder + fileName
