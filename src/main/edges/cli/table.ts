/** Formats rows as columns for a terminal, without characters that would move the cursor. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((row) => row.map(printable))
  const widths = headings.map((_, column) => lines.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0))
  return lines
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A text without control and bidirectional characters, which a hostile name could use to forge terminal output. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '�')

/** The same for a text of several lines. */
export const printableLines = (text: string): string => text.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, '�')
