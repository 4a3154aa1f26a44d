/** With members that the types of ES2024 do not have. */
const json = JSON as typeof JSON & {
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
}

/** The value of a JSON text, to be printed with its numbers as they are written: JavaScript rounds those of many digits. */
export const asWritten = (text: string): unknown =>
  json.parse(text, (_key: string, value: unknown, { source }: { readonly source?: string }) =>
    typeof value === 'number' && source !== undefined ? json.rawJSON(source) : value,
  )
