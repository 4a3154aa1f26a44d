/** One member of a request body. */
export interface ShownMember {
  readonly name: string
  readonly isSigned: boolean
  /** Its JSON, indented; only the start of a long value. */
  readonly value: string
  /** The length of the whole value in characters. */
  readonly wholeLength: number
}

/** Longer values are unreadable and would block the window. */
const shownLength = 20_000

/** The members of a JSON object, signed ones first; null if the body is not an object. */
export function shownMembers(body: string, signed: readonly string[]): readonly ShownMember[] | null {
  const object = objectIn(body)
  if (object === null) return null
  return Object.entries(object)
    .map(([name, value]): ShownMember => {
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
      return { name, isSigned: signed.includes(name), value: text.slice(0, shownLength), wholeLength: text.length }
    })
    .toSorted((one, other) => Number(other.isSigned) - Number(one.isSigned))
}

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch (error) {
    // The body need not be JSON.
    if (error instanceof SyntaxError) return null
    throw error
  }
}
