/** Rows in columns for a terminal; every text is shown without signs that would move the cursor. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((row) => row.map(printable))
  const widths = headings.map((_, column) => Math.max(...lines.map((row) => row[column]?.length ?? 0)))
  return lines
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A text without control and direction signs, which a hostile name could use to forge what a terminal shows. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '�')
