import { itemsAt, readJson } from '@galley/wire'

/** The exact texts of the items of a JSON array; null when `text` is not an array. */
export function itemTexts(text: string): readonly string[] | null {
  const root = readJson(text)
  if (!root.ok || root.value.kind !== 'array') return null
  return itemsAt(text, root.value).map(({ start, end }) => text.slice(start, end))
}
