/** The value of a JSON text; null if it is none, as a text may be that something other than Galley wrote. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
