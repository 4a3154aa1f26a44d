import type { PaletteItem } from './palette-item.ts'

const itemsAtMost = 12

/** How well an item answers what was typed; the least of them is 0, not at all. */
export const fits = { none: 0, scattered: 1, initials: 2, inside: 3, synonym: 4, word: 5, beginning: 6 } as const

const wordsOf = (text: string): readonly string[] =>
  text
    .toLocaleLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Whether the letters begin words of a title in their order, as `tl` or `thli` those of "Theme light". */
function areInitials(words: readonly string[], letters: string): boolean {
  if (letters === '') return true
  return words.some((word, at) => {
    for (let taken = letters.length; taken > 0; taken -= 1)
      if (word.startsWith(letters.slice(0, taken)) && areInitials(words.slice(at + 1), letters.slice(taken)))
        return true
    return false
  })
}

/** Whether the letters come in their order, wherever. */
function areScattered(title: string, letters: string): boolean {
  let from = 0
  for (const letter of letters) {
    const at = title.indexOf(letter, from)
    if (at === -1) return false
    from = at + 1
  }
  return true
}

/** How well one typed word answers. */
function fitOfWord(item: Pick<PaletteItem, 'title' | 'synonyms'>, typed: string): number {
  const title = item.title.toLocaleLowerCase()
  const words = wordsOf(title)
  if (words.some((word) => word.startsWith(typed))) return fits.word
  if (wordsOf(item.synonyms ?? '').some((word) => word.startsWith(typed))) return fits.synonym
  if (typed.length > 2 && title.includes(typed)) return fits.inside
  if (areInitials(words, typed)) return fits.initials
  return areScattered(title, typed) ? fits.scattered : fits.none
}

/** How well an item answers what was typed: as well as the word of it that it answers worst. */
function fitOf(item: Pick<PaletteItem, 'title' | 'synonyms'>, typed: string): number {
  const wanted = wordsOf(typed)
  const [first] = wanted
  if (first === undefined) return fits.none
  const least = Math.min(...wanted.map((word) => fitOfWord(item, word)))
  const isBeginning = wordsOf(item.title).join(' ').startsWith(wanted.join(' '))
  return isBeginning ? fits.beginning : least
}

/**
 * The items that answer what was typed, the best first, and how well the best one does. Letters that are scattered over a title
 * count only where nothing answers better.
 */
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
