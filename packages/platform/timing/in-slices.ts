/** Longer would be felt in the window, and by a callback that waits. */
const sliceMs = 8

/** Runs steps to their end, and lets other work run after each slice. */
export async function inSlices<Value>(steps: Iterator<unknown, Value>): Promise<Value> {
  for (;;) {
    const untilMs = performance.now() + sliceMs
    do {
      const step = steps.next()
      if (step.done === true) return step.value
    } while (performance.now() < untilMs)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
