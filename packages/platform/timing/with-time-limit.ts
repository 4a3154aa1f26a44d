/** The result of the work, or `late` if it takes longer than the limit. Does not stop the work. */
export async function withTimeLimit<Value>(limitMs: number, work: Promise<Value>, late: Value): Promise<Value> {
  const { promise, resolve } = Promise.withResolvers<Value>()
  const limit = setTimeout(resolve, limitMs, late)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(limit)
  }
}
