import type { PaletteItem } from './palette-item.ts'

const itemsAtMost = 12

/**
 * How well a title answers what was typed: 3 at its beginning, 2 at the beginning of a word, 1 when all letters come
 * in order, 0 not at all.
 */
function fitOf(title: string, typed: string): number {
  const text = title.toLocaleLowerCase()
  if (text.startsWith(typed)) return 3
  if (text.includes(` ${typed}`)) return 2
  let from = 0
  for (const letter of typed) {
    const at = text.indexOf(letter, from)
    if (at === -1) return 0
    from = at + 1
  }
  return 1
}

/** The items whose titles answer what was typed, the best first. */
export function matching(items: readonly PaletteItem[], typed: string): readonly PaletteItem[] {
  const wanted = typed.trim().toLocaleLowerCase()
  return items
    .map((item) => ({ item, fit: fitOf(item.title, wanted) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((one, other) => other.fit - one.fit)
    .slice(0, itemsAtMost)
    .map(({ item }) => item)
}
