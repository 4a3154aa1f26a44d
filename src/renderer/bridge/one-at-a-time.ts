/**
 * Coalesces reads: requests during a read cause exactly one more. A burst of pushes costs two reads, and the last
 * result is never older than the last push.
 */
export function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let isAskedAgain = false
  const untilSettled = async (): Promise<void> => {
    do {
      isAskedAgain = false
      await run()
    } while (isAskedAgain)
  }
  return () => {
    isAskedAgain = true
    running ??= untilSettled().finally(() => {
      running = null
    })
    return running
  }
}
