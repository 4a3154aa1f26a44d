import type { Words } from './words.ts'
import { sharedWords } from './words.ts'

/** How much of a text its parts have to share with it together, and each of them with its place in it. */
const wholeMin = 0.9
const partMin = 0.75
/** A shorter text that is in several others is there by chance. */
const wholeMinWords = 4

/**
 * Blocks whose text is in two or more neighbours on the other side, in its order. Blocks without words between these do not
 * count. Joined blocks are found with the sides exchanged.
 */
export function splitsIn(
  wholes: readonly number[],
  candidates: readonly number[],
  wholeWords: (whole: number) => Words,
  partWords: (part: number) => Words,
): readonly { readonly whole: number; readonly parts: readonly number[] }[] {
  const found: { whole: number; parts: readonly number[] }[] = []
  const texts = candidates.filter((each) => partWords(each).inOrder.length > 0)
  let from = 0
  for (const whole of wholes) {
    const { inOrder } = wholeWords(whole)
    if (inOrder.length < wholeMinWords) continue
    for (let start = from; start < texts.length - 1; start += 1) {
      const parts = partsFrom(texts, start, inOrder, partWords)
      if (parts === null) continue
      found.push({ whole, parts })
      from = start + parts.length
      break
    }
  }
  return found
}

/** The texts from `start` on that make the whole together, or null. */
function partsFrom(
  texts: readonly number[],
  start: number,
  whole: Int32Array,
  wordsOf: (part: number) => Words,
): readonly number[] | null {
  let [length, shared] = [0, 0]
  let best: { readonly parts: readonly number[]; readonly share: number } | null = null
  for (let end = start; end < texts.length; end += 1) {
    const { sorted } = wordsOf(texts[end] ?? -1)
    if (length + sorted.length > whole.length * 1.2 + 1) break
    // Where it was in the whole, give or take the words that were added or removed before.
    const slack = 1 + Math.ceil(whole.length * 0.05)
    const place = whole.slice(Math.max(0, length - slack), length + sorted.length + slack).toSorted()
    const stayed = sharedWords(sorted, place)
    if (stayed < partMin * sorted.length) break
    length += sorted.length
    shared += stayed
    const share = (2 * shared) / (length + whole.length)
    if (end > start && share >= wholeMin && share > (best?.share ?? 0))
      best = { parts: texts.slice(start, end + 1), share }
  }
  return best?.parts ?? null
}
