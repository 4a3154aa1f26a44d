const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

const formatted = (format: Intl.DateTimeFormat, iso: string): string => {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? iso : format.format(date)
}

/** Date and time of an ISO 8601 text as this person writes them. */
export const momentOf = (iso: string): string => formatted(moment, iso)

/** The date alone. */
export const dayOf = (iso: string): string => formatted(day, iso)
