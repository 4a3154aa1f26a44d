import fc from 'fast-check'

/** Whitespace as people and programs write it; mostly none. */
export const blank = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n', '  ')

/** A JSON string of `text`, with unnecessary escapes. */
export const written = (text: string, salt: number): string =>
  `"${text
    .split('')
    .map((unit, index) => {
      if ((index + salt) % 5 === 0) return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
      if (unit === '/' && salt % 2 === 0) return '\\/'
      return JSON.stringify(unit).slice(1, -1)
    })
    .join('')}"`

const stringText = fc
  .tuple(
    fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom('id', 'assets', 'clientUrl', '__proto__', '10', 'Й', '😀', ''),
    ),
    fc.nat(9),
  )
  .map(([text, salt]) => written(text, salt))

const scalar = fc.oneof(
  stringText,
  fc.constantFrom(
    '0',
    '-0',
    '1.0',
    '1e400',
    '-1.50E+07',
    '12345678901234567890',
    '0.10',
    'true',
    'false',
    'null',
    '{}',
    '[]',
    '{ }',
    '[\n]',
  ),
)

/** JSON texts with unusual spacing, unnecessary escapes, duplicate keys and numbers that no double can represent. */
export const { value: jsonText } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('list'), tie('object')),
  list: fc
    .array(fc.tuple(blank, tie('value'), blank), { maxLength: 4 })
    .map((items) => `[${items.map((parts) => parts.join('')).join(',')}]`),
  object: fc
    .array(fc.tuple(blank, stringText, blank, tie('value'), blank), { maxLength: 4 })
    .map((members) => `{${members.map(([a, key, b, value, c]) => `${a}${key}${b}:${value}${c}`).join(',')}}`),
}))
