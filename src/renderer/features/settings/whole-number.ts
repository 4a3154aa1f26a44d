/** What a field for a whole number holds: the number, null when it is empty, `wrong` when it is neither. */
export function wholeNumber(text: string, from: number, to: number): number | null | 'wrong' {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const value = /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : Number.NaN
  return value >= from && value <= to ? value : 'wrong'
}
