/** The text of a field without the spaces around it; null if it is empty. */
export const textOrNull = (typed: string): string | null => typed.trim() || null
