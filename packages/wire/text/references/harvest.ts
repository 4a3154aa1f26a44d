import type { Edit } from '../edits.ts'
import { applyEdits } from '../edits.ts'
import { lineBreaks, percent } from './encodings.ts'
import type { Finder } from './finder.ts'
import type { View } from './view.ts'
import { decodedView } from './view.ts'

/** Encodings that can hide the head of a reference; see `mayHold`. */
const hiding =
  /\\[^"nrt]|&(?:#|tab|newline|colon|sol|bsol|period|lowbar|percnt|commat|[lr]sqb|[lr]brack)|%[2-7][0-9a-f]/i

/**
 * Whether a text can contain a reference, plain or encoded. Fast, without false negatives: heads are ASCII, and none of
 * their letters, digits, `-` and `~` has a named entity. (`
 * `, `\r` and `\t` are letters only in CSS that hides them on purpose.)
 */
export const mayHold = (text: string, { heads }: Finder): boolean =>
  heads === undefined ||
  heads.test(text) ||
  hiding.test(text) ||
  (lineBreaks.lead.test(text) && heads.test(text.replace(lineBreaks.sequence, '')))

/** A reference in the raw text. `text` replaces it; null if the file is not stored. */
interface FoundReference {
  readonly start: number
  readonly end: number
  readonly name: string
  readonly text: string | null
}

const isPresent = (reference: FoundReference): reference is FoundReference & Edit => reference.text !== null

export interface Rewritten {
  readonly text: string
  /** Referenced names that are not stored, each once, in order of appearance. */
  readonly missing: readonly string[]
}

const encoded = /[&\\%\t\n\r]/

/** Whether a text contains no entity, escape, percent-encoding or line break. */
const isPlain = (text: string): boolean => !encoded.test(text)

/** Longer ranges are read each time, and no more of a kind are remembered: a hostile page has hundreds of thousands. */
const rememberedMaxChars = 1024
const rememberedMax = 1024

/** Collects the replacements in one raw text, range by range. */
export interface Harvest {
  /**
   * Looks for references in `[start, end)` of the raw text with `read`, which sees nothing but this range. It is called once
   * for all equal ranges of a `kind`, because pages name a file many times.
   */
  once(kind: string, start: number, end: number, read: () => void): void
  /**
   * Looks for references in one range, given as its possible views, the most literal first. Each view is also read with
   * percent-encoding decoded. Of overlapping matches the first counts, then the longest, then the most literal. A missing
   * file is reported only if no view finds a stored one. Matches found only by removing line breaks have the lowest
   * priority, because a break may also separate two references.
   */
  visit(views: readonly View[]): void
  /** Replaces a range of the raw text without looking for references in it. */
  replace(edit: Edit): void
  /** The raw text with all replacements: the same string if nothing was found. */
  finish(): Rewritten
}

export function createHarvest(raw: string, find: Finder): Harvest {
  const edits: Edit[] = []
  const missing = new Set<string>()
  /** What was found in ranges, by kind and text. Offsets count from the start of the range. */
  const known = new Map<string, Map<string, readonly Edit[]>>()

  function referencesIn(view: View): readonly FoundReference[] {
    const references: FoundReference[] = []
    for (const { start, end, name, replacement } of find(view.text, view.kind)) {
      if (!view.admits(start, end)) continue
      references.push({ start: view.rawStart(start), end: view.rawEnd(end), name, text: replacement })
    }
    return references
  }

  /** Splits matches into stored and missing files. */
  const parted = (references: readonly FoundReference[]) => ({
    present: references.filter(isPresent),
    absent: references.filter(({ text }) => text === null),
  })

  /** The matches in these views, which are distinct, and their percent-decoded forms. */
  function referencesOf(views: readonly View[]) {
    const references: FoundReference[] = []
    for (const view of views) {
      for (const reference of referencesIn(view)) references.push(reference)
      const plain = decodedView(view, percent)
      if (plain !== view) for (const reference of referencesIn(plain)) references.push(reference)
    }
    return inOrder(references)
  }

  /** Takes the matches, the first list of `all` before the others. */
  function take(all: readonly ReturnType<typeof parted>[]): void {
    let taken: readonly FoundReference[] = []
    for (const { present } of all) {
      const free = withoutOverlaps(present, taken)
      for (const reference of free) edits.push(reference)
      taken = inOrder([...taken, ...free])
    }
    for (const { absent } of all) {
      const free = withoutOverlaps(absent, taken)
      for (const { name } of free) missing.add(name)
      taken = inOrder([...taken, ...free])
    }
  }

  return {
    once(kind, start, end, read) {
      if (end - start > rememberedMaxChars) return read()
      const range = raw.slice(start, end)
      let ofKind = known.get(kind)
      if (ofKind === undefined) known.set(kind, (ofKind = new Map()))
      const found = ofKind.get(range)
      if (found !== undefined) {
        for (const edit of found) edits.push(movedBy(start, edit))
        return
      }
      const before = edits.length
      read()
      if (ofKind.size < rememberedMax)
        ofKind.set(
          range,
          edits.slice(before).map((edit) => movedBy(-start, edit)),
        )
    },
    visit(views) {
      const [first, ...others] = views
      if (first !== undefined && others.every((view) => view === first) && isPlain(first.text)) {
        // Nearly all ranges have a single view, and pages have hundreds of thousands of them.
        const references = referencesIn(first)
        if (references.every(isPresent)) for (const reference of references) edits.push(reference)
        else take([parted(inOrder(references))])
        return
      }
      const known = views.filter((view, at) => views.indexOf(view) === at)
      const unbroken: View[] = []
      for (const view of known) {
        const whole = decodedView(view, lineBreaks)
        if (whole !== view) unbroken.push(whole)
      }
      const references = referencesOf(known)
      const [only] = references
      if (unbroken.length === 0 && references.length === 1 && only !== undefined && isPresent(only)) edits.push(only)
      else take([parted(references), parted(referencesOf(unbroken))])
    },
    replace: (edit) => void edits.push(edit),
    finish: () => ({ text: applyEdits(raw, edits), missing: [...missing] }),
  }
}

const movedBy = (offset: number, { start, end, text }: Edit): Edit => ({
  start: start + offset,
  end: end + offset,
  text,
})

/** The sort is stable, so equal matches stay in the order of the views. */
const inOrder = (references: readonly FoundReference[]): readonly FoundReference[] =>
  references.length < 2 ? references : references.toSorted((a, b) => a.start - b.start || b.end - a.end)

/** The matches, in order, that overlap neither an earlier one nor any of `taken`. Both lists are sorted. */
function withoutOverlaps<Kind extends FoundReference>(
  references: readonly Kind[],
  taken: readonly FoundReference[],
): readonly Kind[] {
  let done = 0
  let next = 0
  return references.filter(({ start, end }) => {
    while ((taken[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
    if (start < done || (taken[next]?.start ?? Number.POSITIVE_INFINITY) < end) return false
    done = end
    return true
  })
}
