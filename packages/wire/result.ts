/** An expected outcome as a value: success with its value, or a failure with its facts. Bugs are thrown. */
export type Result<Value, Problem> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Problem }

export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({ ok: true, value })

export const fail = <Problem>(failure: Problem): { readonly ok: false; readonly failure: Problem } => ({
  ok: false,
  failure,
})

/** Makes a switch exhaustive: a new member of the union fails the build wherever it is not handled. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case ${JSON.stringify(value)}`)
}
