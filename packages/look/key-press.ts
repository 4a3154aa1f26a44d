/** A pressed key, in DOM terms. */
export interface KeyPress {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** The letter or digit on the physical key, so that shortcuts work in a Cyrillic layout; other keys by name. */
export function keyOf({ key, code }: Pick<KeyPress, 'key' | 'code'>): string {
  const placed = /^(?:Key|Digit)(.)$/.exec(code)?.[1]
  return placed !== undefined && (code.startsWith('Digit') || !/^[a-z]$/i.test(key)) ? placed : key
}
