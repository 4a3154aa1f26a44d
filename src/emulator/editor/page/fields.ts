/** One property of a block: its value when nothing is written, and which values it may have. */
export interface Field<Value> {
  readonly initial: Value
  readonly accepts: (value: unknown) => value is Value
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** One of a few words or numbers; the first is the initial one. */
export const oneOf = <const Value extends string | number>(
  initial: Value,
  ...others: readonly Value[]
): Field<Value> => ({
  initial,
  accepts: (value): value is Value => value === initial || others.some((other) => other === value),
})

/** Any text, empty at first. */
export const words: Field<string> = { initial: '', accepts: isText }

/** How many columns or rows a cell goes over. */
export const span: Field<number> = {
  initial: 1,
  accepts: (value): value is number =>
    Number.isSafeInteger(value) && typeof value === 'number' && value > 0 && value <= 1000,
}

/** The name of a file; there is none to begin with, so it has to be written. */
export const fileName: Field<string> = {
  initial: '',
  accepts: (value): value is string => isText(value) && value !== '',
}

const orNone = <Value>(accepts: (value: unknown) => value is Value): Field<Value | null> => ({
  initial: null,
  accepts: (value): value is Value | null => value === null || accepts(value),
})

/** The name of a font family, or none: the page's own. */
export const fontName = orNone((value): value is string => isText(value) && value.trim() !== '')

/** A colour as `#rrggbb`, or none. */
export const colour = orNone((value): value is string => isText(value) && /^#[0-9a-f]{6}$/.test(value))

/** A length in whole pixels, or none when it is not known. */
export const pixels = orNone(
  (value): value is number => Number.isSafeInteger(value) && typeof value === 'number' && value > 0,
)
