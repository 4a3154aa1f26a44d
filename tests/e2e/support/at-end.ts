import { afterAll, onTestFinished } from 'vitest'

type End = () => unknown

/** While what the tests of a file share is started: what ends after the last of them. */
let afterLast: End[] | null = null

/** Runs this after the test or, of what the tests of a file share, after the last of them. */
export function atEnd(end: End): void {
  if (afterLast) afterLast.push(end)
  else
    onTestFinished(async () => {
      await end()
    })
}

/** Started by the first test of this file that asks for it, and ended after the last; each test leaves it as it found it. */
export function shared<Started>(start: () => Promise<Started>): () => Promise<Started> {
  const ends: End[] = []
  let started: Promise<Started> | null = null
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return () => {
    if (started === null) {
      afterLast = ends
      started = start().finally(() => (afterLast = null))
    }
    return started
  }
}
