/** What the work comes to, or `late` when that takes longer than the limit; the work is not stopped by it. */
export async function within<Value>(limitMs: number, work: Promise<Value>, late: Value): Promise<Value> {
  const { promise, resolve } = Promise.withResolvers<Value>()
  const limit = setTimeout(resolve, limitMs, late)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(limit)
  }
}
