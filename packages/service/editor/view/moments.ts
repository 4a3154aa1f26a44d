const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

const formatted = (format: Intl.DateTimeFormat, iso: string): string => {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? iso : format.format(date)
}

/** Formats an ISO 8601 date and time for the user's locale. */
export const momentOf = (iso: string): string => formatted(moment, iso)

/** Formats the date only. */
export const dayOf = (iso: string): string => formatted(day, iso)
