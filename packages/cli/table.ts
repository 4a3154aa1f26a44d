/** Formats rows as columns for a terminal, without characters that would move the cursor. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows]
  const widths = columnWidths(headings, lines)
  return lines.map((row) => tableLine(row, widths)).join('\n')
}

/** How wide the columns of a table are. */
export const columnWidths = (headings: readonly string[], rows: Iterable<readonly string[]>): readonly number[] => {
  const widths = headings.map((heading) => heading.length)
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, printable(cell).length)
  return widths
}

export const tableLine = (row: readonly string[], widths: readonly number[]): string =>
  row
    .map((cell, column) => printable(cell).padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd()

/** A text without control and bidirectional characters, which a hostile name could use to forge terminal output. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '�')

/** The same for a text of several lines. */
export const printableLines = (text: string): string => text.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, '�')
