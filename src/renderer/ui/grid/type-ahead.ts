const pauseMs = 700

/** Collects letters typed in quick succession; a pause starts a new word. */
export function createTypeAhead() {
  let typed = ''
  let lastMs = 0
  return (letter: string, nowMs: number): string => {
    typed = nowMs - lastMs > pauseMs ? letter : typed + letter
    lastMs = nowMs
    return typed.toLocaleLowerCase()
  }
}

/**
 * The next row after `from` that starts with the typed text, wrapping around. Repeating one letter goes to the next
 * match.
 */
export function rowStartingWith(
  textAt: (index: number) => string | undefined,
  total: number,
  typed: string,
  from: number,
): number | null {
  const start = typed.length === 1 ? from + 1 : from
  for (let step = 0; step < total; step += 1) {
    const index = (start + step) % total
    if (textAt(index)?.toLocaleLowerCase().startsWith(typed)) return index
  }
  return null
}
