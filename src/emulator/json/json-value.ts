/** What JSON.parse gives for `{...}`: named fields of any kind. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** PHP writes an empty object as `[]`; client libraries in that language send it so. */
export const isEmptyArray = (value: unknown): boolean => Array.isArray(value) && value.length === 0

export const isNonEmptyString = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The object of a JSON text, or null when the text is no JSON or something else than an object. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch (problem) {
    // JSON.parse has no other way to say it; anything else would be a bug of ours.
    if (problem instanceof SyntaxError) return null
    throw problem
  }
}
