import { readTimeZone } from '../records/time-zone.ts'

/** The time zone of this computer; UTC where it is not known. */
export const computerZone = (): string =>
  readTimeZone(new Intl.DateTimeFormat().resolvedOptions().timeZone ?? '') ?? 'UTC'
