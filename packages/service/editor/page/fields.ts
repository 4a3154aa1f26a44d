/** One property of a block: its default value and its valid values. */
export interface Field<Value> {
  readonly initial: Value
  readonly accepts: (value: unknown) => value is Value
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** One of a few words or numbers; the first is the default. */
export const oneOf = <const Value extends string | number>(
  initial: Value,
  ...others: readonly Value[]
): Field<Value> => ({
  initial,
  accepts: (value): value is Value => value === initial || others.some((other) => other === value),
})

/** Any text; empty by default. */
export const words: Field<string> = { initial: '', accepts: isText }

/** The number of columns or rows that a cell spans. */
export const span: Field<number> = {
  initial: 1,
  accepts: (value): value is number =>
    Number.isSafeInteger(value) && typeof value === 'number' && value > 0 && value <= 1000,
}

/** The number of the first item of a list. */
export const listStart: Field<number> = {
  initial: 1,
  accepts: (value): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31,
}

/** The name of a file. It has no default, so it is always written. */
export const fileName: Field<string> = {
  initial: '',
  accepts: (value): value is string => isText(value) && value !== '',
}

const orNone = <Value>(accepts: (value: unknown) => value is Value): Field<Value | null> => ({
  initial: null,
  accepts: (value): value is Value | null => value === null || accepts(value),
})

/** The name of a font family; null for the page's font. */
export const fontName = orNone((value): value is string => isText(value) && value.trim() !== '')

/** A colour as `#rrggbb`, or null. */
export const colour = orNone((value): value is string => isText(value) && /^#[0-9a-f]{6}$/.test(value))

/** A length in whole pixels; null when unknown. */
export const pixels = orNone(
  (value): value is number => Number.isSafeInteger(value) && typeof value === 'number' && value > 0,
)
