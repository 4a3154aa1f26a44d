import type { PaletteItem } from './palette-item.ts'

const maxItems = 12

/** Match quality; 0 is no match. */
export const quality = { none: 0, scattered: 1, initials: 2, inside: 3, synonym: 4, word: 5, beginning: 6 } as const

const wordsOf = (text: string): readonly string[] =>
  text
    .toLocaleLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Whether the letters start successive words of a title, as `tl` or `thli` do for "Theme light". */
function matchesInitials(words: readonly string[], letters: string): boolean {
  if (letters === '') return true
  return words.some((word, at) => {
    for (let taken = letters.length; taken > 0; taken -= 1)
      if (word.startsWith(letters.slice(0, taken)) && matchesInitials(words.slice(at + 1), letters.slice(taken)))
        return true
    return false
  })
}

/** Whether the letters are in a word that begins with the first of them, in this order, with any gaps. */
function matchesScattered(word: string, letters: string): boolean {
  let from = 0
  for (const letter of letters) {
    const at = word.indexOf(letter, from)
    if (at === -1) return false
    from = at + 1
  }
  return word[0] === letters[0]
}

/** The match quality of one typed word. */
function wordQuality(item: Pick<PaletteItem, 'title' | 'synonyms'>, typed: string): number {
  const title = item.title.toLocaleLowerCase()
  const words = wordsOf(title)
  if (words.some((word) => word.startsWith(typed))) return quality.word
  if (wordsOf(item.synonyms ?? '').some((word) => word.startsWith(typed))) return quality.synonym
  if (typed.length > 2 && title.includes(typed)) return quality.inside
  if (matchesInitials(words, typed)) return quality.initials
  return words.some((word) => matchesScattered(word, typed)) ? quality.scattered : quality.none
}

/** The match quality of an item: that of its worst-matching word. */
function qualityOf(item: Pick<PaletteItem, 'title' | 'synonyms'>, typed: string): number {
  const typedWords = wordsOf(typed)
  const [first] = typedWords
  if (first === undefined) return quality.none
  const lowest = Math.min(...typedWords.map((word) => wordQuality(item, word)))
  const isBeginning = wordsOf(item.title).join(' ').startsWith(typedWords.join(' '))
  return isBeginning ? quality.beginning : lowest
}

/** Matching items, best first, and the best quality. Scattered letters count only if nothing matches better. */
export function matching(
  items: readonly PaletteItem[],
  typed: string,
): { readonly items: readonly PaletteItem[]; readonly best: number } {
  const found = items
    .map((item) => ({ item, fit: qualityOf(item, typed) }))
    .filter(({ fit }) => fit > quality.none)
    .toSorted((one, other) => other.fit - one.fit)
  const best = found[0]?.fit ?? quality.none
  const shown = best > quality.scattered ? found.filter(({ fit }) => fit > quality.scattered) : found
  return { items: shown.slice(0, maxItems).map(({ item }) => item), best }
}
