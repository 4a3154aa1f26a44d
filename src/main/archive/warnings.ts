/** Short sentences about a save that was stored all the same. */
export interface Warnings {
  add(sentence: string): void
  /** At most `warningsMax`, the last one counting the rest. */
  list(): readonly string[]
}

/** They are stored with the version and shown as a list: more than this helps nobody, and the archive decides how many. */
const warningsMax = 100

export function createWarnings(): Warnings {
  const first: string[] = []
  let count = 0
  return {
    add: (sentence) => {
      count += 1
      if (count <= warningsMax) first.push(sentence)
    },
    list: () =>
      count <= warningsMax ? first : [...first.slice(0, -1), `There are ${count - warningsMax + 1} more such remarks.`],
  }
}
