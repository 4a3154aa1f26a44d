/**
 * Finds the longest of many keys at a position of a text. Keys are sorted: the keys that match are all prefixes of the last
 * key that sorts before the text, so a binary search and a walk along prefixes find them. The time does not depend on the
 * product of key count and length.
 */
export function createLongestKey(
  names: Iterable<string>,
): (text: string, at: number, mayEnd: (end: number) => boolean) => string | null {
  const keys = [...names].toSorted((a, b) => (a < b ? -1 : 1))
  /** For each key, the index of its longest prefix among the other keys, or -1. */
  const prefix: number[] = []
  keys.forEach((key, number) => {
    let candidate = number - 1
    while (candidate >= 0 && !key.startsWith(keys[candidate] ?? '')) candidate = prefix[candidate] ?? -1
    prefix.push(candidate)
  })

  return (text, at, mayEnd) => {
    let low = 0
    let high = keys.length
    // The lengths that the text shares with the keys before `low` and from `high` on; the keys between share at least
    // the smaller one.
    let sharedBelow = 0
    let sharedAbove = 0
    while (low < high) {
      const middle = (low + high) >>> 1
      const key = keys[middle] ?? ''
      const shared = sharedLength(key, text, at, Math.min(sharedBelow, sharedAbove))
      if (shared < key.length && !(key.charCodeAt(shared) < text.charCodeAt(at + shared))) {
        high = middle
        sharedAbove = shared
      } else {
        low = middle + 1
        sharedBelow = shared
      }
    }
    let number = low - 1
    const shared = sharedBelow
    for (; number >= 0; number = prefix[number] ?? -1) {
      const key = keys[number] ?? ''
      if (key.length <= shared && mayEnd(at + key.length)) return key
    }
    return null
  }
}

/** The length of the common prefix of the key and the text from `at`, which is at least `known`. */
function sharedLength(key: string, text: string, at: number, known: number): number {
  let length = known
  while (length < key.length && key.charCodeAt(length) === text.charCodeAt(at + length)) length++
  return length
}
