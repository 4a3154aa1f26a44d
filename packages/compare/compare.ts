import type { Page } from './blocks.ts'
import type { Change } from './changes.ts'
import { changesOf } from './changes.ts'
import type { Head } from './head.ts'

/** A part of what a page says besides its content. `data`: other data and links of its head. */
export type HeadPart = 'title' | 'description' | 'styles' | 'scripts' | 'data'

export interface HeadChange {
  readonly part: HeadPart
  /** What was taken and what was added: texts, or one entry for each style sheet, script or datum. */
  readonly removed: readonly string[]
  readonly added: readonly string[]
  /** Of style sheets whose background pictures changed: their names, such as `old.jpg → new.jpg`. */
  readonly files?: string
}

/** What else belongs to two versions; true where it differs. */
export interface OtherParts {
  readonly state: boolean
  readonly fonts: boolean
  readonly metadata: boolean
}

export interface Comparison {
  readonly changes: readonly Change[]
  readonly head: readonly HeadChange[]
  readonly other: OtherParts
}

/** Everything that changed from one version of a page to another. */
export const compare = (one: Page, other: Page, parts: OtherParts): Comparison => ({
  changes: changesOf(one, other),
  head: headChanges(one.head, other.head),
  other: parts,
})

/**
 * Whether nothing changed that a reader could notice or that leads elsewhere: text, pictures, attributes, links, style,
 * scripts, embeds, data of the head, fonts, metadata. The state belongs to the editor: readers never get it. Whether the
 * pages also look the same, only pictures of them tell.
 */
export const isUnchanged = ({ changes, head, other }: Comparison): boolean =>
  changes.length === 0 && head.length === 0 && !other.fonts && !other.metadata

const filesMaxChars = 1_000
const textParts = ['title', 'description'] as const
const listParts = ['styles', 'scripts', 'data'] as const

function headChanges(one: Head, other: Head): readonly HeadChange[] {
  const texts = textParts
    .filter((part) => one[part] !== other[part])
    .map((part) => ({ part, removed: [one[part]].filter(Boolean), added: [other[part]].filter(Boolean) }))
  const lists = listParts.flatMap((part) => {
    const [before, after] = [one[part], other[part]]
    if (before.length === after.length && before.every((each, order) => each === after[order])) return []
    // Both are empty where only the order changed, which can change what style sheets and scripts do.
    const changed = { part, removed: without(before, after), added: without(after, before) }
    if (part !== 'styles') return changed
    const files = [namesOnlyIn(one, other), namesOnlyIn(other, one)]
    return files.join('') === '' ? changed : { ...changed, files: files.join(' → ').trim().slice(0, filesMaxChars) }
  })
  return [...texts, ...lists]
}

const namesOnlyIn = ({ backgrounds }: Head, other: Head): string =>
  [...backgrounds].flatMap(([identity, name]) => (other.backgrounds.has(identity) ? [] : name)).join(', ')

function without(list: readonly string[], other: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const each of other) counts.set(each, (counts.get(each) ?? 0) + 1)
  return list.filter((each) => {
    const count = counts.get(each) ?? 0
    counts.set(each, count - 1)
    return count <= 0
  })
}
