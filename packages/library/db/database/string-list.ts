/** Reads a list of strings that this library has stored as JSON. */
export const stringList = (json: string): string[] => JSON.parse(json) as string[]
