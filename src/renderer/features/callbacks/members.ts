/** One member of a body as it is shown. */
export interface ShownMember {
  readonly name: string
  readonly isSigned: boolean
  /** Its JSON, indented; of a long one the beginning. */
  readonly value: string
  /** Characters of the whole value. */
  readonly wholeLength: number
}

/** More than this of one value is no reading, and would hold the window up. */
const shownLength = 20_000

/** The members of a JSON object, signed ones first; null when the body is none. */
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
    // What was sent need not be JSON.
    if (error instanceof SyntaxError) return null
    throw error
  }
}
