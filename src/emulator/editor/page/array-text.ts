import { itemsAt } from '../../../contract/text/json/objects.ts'
import { readJson } from '../../../contract/text/json/reader.ts'

/** The texts of the items of the array that `text` is, each to the character; null when it is something else. */
export function itemTexts(text: string): readonly string[] | null {
  const root = readJson(text)
  if (!root.ok || root.value.kind !== 'array') return null
  return itemsAt(text, root.value).map(({ start, end }) => text.slice(start, end))
}
