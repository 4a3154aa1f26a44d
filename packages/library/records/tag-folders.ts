import { compare } from './order.ts'
import { isWindowsDevice } from './page-path.ts'
import { addressName, withEnding } from './slug.ts'

// The list of a tag is in a folder below `tags/`. Like the address of a page, a folder is set once and then kept.

/** Tags with the same comparable name are one tag. Empty if the tag has no name. */
export const comparableTag = (tag: string): string => tag.normalize('NFC').trim().toLowerCase()

/** The folder of every tag, by comparable name: those of `decided` unchanged, then one for each other of `tags`. */
export function tagFoldersOf(
  tags: Iterable<string>,
  decided: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const folders = new Map(decided)
  const taken = new Set(decided.values())
  const open = new Set([...tags].map(comparableTag).filter((tag) => tag !== '' && !folders.has(tag)))
  // In an order that does not depend on what is published.
  for (const tag of [...open].toSorted(compare)) folders.set(tag, freeFolder(tag, taken))
  return folders
}

/** From the tag's letters and digits, else from its code points. */
function freeFolder(tag: string, taken: Set<string>): string {
  const codes = Array.from(tag, (sign) => sign.codePointAt(0)?.toString(16)).join('-')
  const name = addressName(tag) || codes.slice(0, 60).replace(/-$/, '')
  let free = name === 'page' || isWindowsDevice(name) ? `${name}-tag` : name
  for (let number = 2; taken.has(free); number++) free = withEnding(name, `-${number}`)
  taken.add(free)
  return free
}
