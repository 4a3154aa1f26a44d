/**
 * Whether a name can stand below `vms_media/` or `vms_fonts/` as it is: a relative path of plain segments. Names may
 * hold `/` and any other sign; a service hands out no archive that climbs out of its folder.
 */
export const isEntryName = (name: string): boolean =>
  name.isWellFormed() &&
  !/[\\\p{Cc}]/u.test(name) &&
  name.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
