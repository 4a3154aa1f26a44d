/**
 * Runs one read at a time: asked again while it runs, it runs exactly once more afterwards. A burst of pushes thus
 * costs two reads, and the last answer shown is never older than the last push.
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
