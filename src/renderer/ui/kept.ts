import { useState } from 'react'
import type { z } from 'zod'

const keyOf = (name: string): string => `galley:${name}`

/** Parses persisted JSON; `initial` if it is invalid or does not match the current schema. */
export function parsedOr<Value>(text: string, schema: z.ZodType<Value>, initial: Value): Value {
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : initial
  } catch (error) {
    // Not JSON, so not ours.
    if (error instanceof SyntaxError) return initial
    throw error
  }
}

/** Reads a persisted value; `initial` if it is missing or does not match the schema. */
export function readKept<Value>(name: string, schema: z.ZodType<Value>, initial: Value): Value {
  const text = localStorage.getItem(keyOf(name))
  return text === null ? initial : parsedOr(text, schema, initial)
}

/** Persists a value as JSON in the window's local storage. */
export const keep = (name: string, value: unknown): void => localStorage.setItem(keyOf(name), JSON.stringify(value))

/** Interface state that survives a restart, such as sizes, sort and columns; never library content. */
export function useKept<Value>(
  name: string,
  schema: z.ZodType<Value>,
  initial: Value,
): readonly [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => readKept(name, schema, initial))
  const set = (next: Value): void => {
    setValue(next)
    keep(name, next)
  }
  return [value, set]
}
