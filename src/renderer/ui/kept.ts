import { useState } from 'react'
import type { z } from 'zod'

const keyOf = (name: string): string => `galley:${name}`

/** What a text that was kept as JSON says; `initial` where it is no JSON or fits the schema of today no more. */
export function parsedOr<Value>(text: string, schema: z.ZodType<Value>, initial: Value): Value {
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : initial
  } catch (error) {
    // Text that is no JSON was written by something else; it is as good as nothing.
    if (error instanceof SyntaxError) return initial
    throw error
  }
}

/** What was kept under a name in this window's own storage; `initial` when nothing fits the schema. */
export function readKept<Value>(name: string, schema: z.ZodType<Value>, initial: Value): Value {
  const text = localStorage.getItem(keyOf(name))
  return text === null ? initial : parsedOr(text, schema, initial)
}

/** Keeps a value as JSON under a name in this window’s own storage. */
export const keep = (name: string, value: unknown): void => localStorage.setItem(keyOf(name), JSON.stringify(value))

/** State of the interface that survives a restart: sizes, folds, sort, columns. Never content of the library. */
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
