/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** PHP encodes an empty object as `[]`, and so do client libraries in that language. */
export const isEmptyArray = (value: unknown): boolean => Array.isArray(value) && value.length === 0

export const isNonEmptyString = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Parses a JSON object; null when the text is invalid JSON or another value. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch (problem) {
    // JSON.parse reports invalid input only by throwing; any other error is a bug.
    if (problem instanceof SyntaxError) return null
    throw problem
  }
}
