/** Parses a whole number; null if empty, `wrong` if invalid. */
export function wholeNumber(text: string, from: number, to: number): number | null | 'wrong' {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const value = /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : Number.NaN
  return value >= from && value <= to ? value : 'wrong'
}
