/** A value that should be a text; empty if it is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A value that may be a text; null if it is none. */
export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
