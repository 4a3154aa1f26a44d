import type { PaletteItem } from './palette-item.ts'

const itemsAtMost = 12

/** Match quality; 0 is no match. */
export const fits = { none: 0, scattered: 1, initials: 2, inside: 3, synonym: 4, word: 5, beginning: 6 } as const

const wordsOf = (text: string): readonly string[] =>
  text
    .toLocaleLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Whether the letters start successive words of a title, as `tl` or `thli` do for "Theme light". */
function areInitials(words: readonly string[], letters: string): boolean {
  if (letters === '') return true
  return words.some((word, at) => {
    for (let taken = letters.length; taken > 0; taken -= 1)
      if (word.startsWith(letters.slice(0, taken)) && areInitials(words.slice(at + 1), letters.slice(taken)))
        return true
    return false
  })
}

/** Whether the letters appear in this order, with any gaps. */
function areScattered(title: string, letters: string): boolean {
  let from = 0
  for (const letter of letters) {
    const at = title.indexOf(letter, from)
    if (at === -1) return false
    from = at + 1
  }
  return true
}

/** The match quality of one typed word. */
function fitOfWord(item: Pick<PaletteItem, 'title' | 'synonyms'>, typed: string): number {
  const title = item.title.toLocaleLowerCase()
  const words = wordsOf(title)
  if (words.some((word) => word.startsWith(typed))) return fits.word
  if (wordsOf(item.synonyms ?? '').some((word) => word.startsWith(typed))) return fits.synonym
  if (typed.length > 2 && title.includes(typed)) return fits.inside
  if (areInitials(words, typed)) return fits.initials
  return areScattered(title, typed) ? fits.scattered : fits.none
}

/** The match quality of an item: that of its worst-matching word. */
function fitOf(item: Pick<PaletteItem, 'title' | 'synonyms'>, typed: string): number {
  const wanted = wordsOf(typed)
  const [first] = wanted
  if (first === undefined) return fits.none
  const least = Math.min(...wanted.map((word) => fitOfWord(item, word)))
  const isBeginning = wordsOf(item.title).join(' ').startsWith(wanted.join(' '))
  return isBeginning ? fits.beginning : least
}

/** Matching items, best first, and the best quality. Scattered letters count only if nothing matches better. */
export function matching(
  items: readonly PaletteItem[],
  typed: string,
): { readonly items: readonly PaletteItem[]; readonly best: number } {
  const found = items
    .map((item) => ({ item, fit: fitOf(item, typed) }))
    .filter(({ fit }) => fit > fits.none)
    .toSorted((one, other) => other.fit - one.fit)
  const best = found[0]?.fit ?? fits.none
  const shown = best > fits.scattered ? found.filter(({ fit }) => fit > fits.scattered) : found
  return { items: shown.slice(0, itemsAtMost).map(({ item }) => item), best }
}
