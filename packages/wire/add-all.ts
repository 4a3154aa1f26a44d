/**
 * Adds items to a list, however many. `push(...items)` overflows the stack beyond some 100,000 of them, which one hostile
 * page or one damaged log can have.
 */
export function addAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item)
}
