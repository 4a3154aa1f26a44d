/** An expected outcome as a value: success with its value, or a failure with its facts. Bugs throw instead. */
export type Result<Value, Problem> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Problem }

export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({ ok: true, value })

export const fail = <Problem>(failure: Problem): { readonly ok: false; readonly failure: Problem } => ({
  ok: false,
  failure,
})

/** Closes a union: a new member stops the build at every place that has to know it. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case ${JSON.stringify(value)}`)
}
