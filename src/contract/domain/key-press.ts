/** A key as it was pressed, in the words of the DOM. */
export interface KeyPress {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** The letter or digit of the key itself, so that shortcuts work in a Cyrillic layout too; other keys by their name. */
export function keyOf({ key, code }: Pick<KeyPress, 'key' | 'code'>): string {
  const placed = /^(?:Key|Digit)(.)$/.exec(code)?.[1]
  return placed !== undefined && (code.startsWith('Digit') || !/^[a-z]$/i.test(key)) ? placed : key
}
