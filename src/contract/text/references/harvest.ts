import type { Edit } from '../edits.ts'
import { applyEdits } from '../edits.ts'
import { lineBreaks, percent } from './encodings.ts'
import type { Finder } from './finder.ts'
import type { View } from './view.ts'
import { decodedView } from './view.ts'

/** How characters of a reference could be written so that its head does not stand there as it is; see `mayHold`. */
const hiding = /\\[^"nrt]|&(?:#|tab|newline|colon|sol|period|lowbar|percnt|commat|[lr]sqb|[lr]brack)|%[2-7][0-9a-f]/i

/**
 * Whether a text can hold a reference at all, plain or encoded. Quick and never wrongly no: a head is ASCII, and of its
 * characters letters, digits, `-` and `~` have no named entity. (`\n`, `\r` and `\t` are letters only in CSS that was
 * written to hide them.)
 */
export const mayHold = (text: string, { heads }: Finder): boolean =>
  heads === undefined ||
  heads.test(text) ||
  hiding.test(text) ||
  (lineBreaks.lead.test(text) && heads.test(text.replace(lineBreaks.sequence, '')))

/** A reference in the raw text; `text` takes its place, null: the file is not there. */
interface Sighting {
  readonly start: number
  readonly end: number
  readonly name: string
  readonly text: string | null
}

const isPresent = (sighting: Sighting): sighting is Sighting & Edit => sighting.text !== null

export interface Rewritten {
  readonly text: string
  /** Names that were referred to and are not there, each once, in order of appearance. */
  readonly missing: readonly string[]
}

const encoded = /[&\\%\t\n\r]/

/** Whether nothing in a text can mean another character or none: no entity, escape, percent-encoding or line break. */
const isPlain = (text: string): boolean => !encoded.test(text)

/** Gathers what is to be replaced in one raw text, place by place. */
export interface Harvest {
  /**
   * Looks for references in one place, given as the views it can be read in, the most literal first; each is read with
   * its percent-encoding undone as well. Where sightings overlap, the one that begins first counts, then the longest,
   * then the most literal; a missing file is reported only where no reading finds a stored one. What is found only
   * without line breaks comes behind all that: a break may as well stand between two references.
   */
  look(views: readonly View[]): void
  /** Replaces a range of the raw text in which nothing is looked for. */
  replace(edit: Edit): void
  /** The raw text with everything replaced: the same string when nothing was found. */
  finish(raw: string): Rewritten
}

export function createHarvest(find: Finder): Harvest {
  const edits: Edit[] = []
  const missing = new Set<string>()

  const sightingsIn = (view: View): readonly Sighting[] =>
    find(view.text)
      .filter(({ start, end }) => view.admits(start, end))
      .map(({ start, end, name, replacement }) => ({
        start: view.rawStart(start),
        end: view.rawEnd(end),
        name,
        text: replacement,
      }))

  /** Stored files, and files that are not there. */
  const parted = (sightings: readonly Sighting[]) => ({
    present: sightings.filter(isPresent),
    absent: sightings.filter(({ text }) => text === null),
  })

  /** What these views and their percent-decoded forms show. */
  function sightingsOf(views: readonly View[]) {
    const readings = new Set(views.flatMap((view) => [view, decodedView(view, percent)]))
    return parted(inOrder([...readings].flatMap(sightingsIn)))
  }

  /** Takes what was sighted, the first of `all` before the others. */
  function take(all: readonly ReturnType<typeof parted>[]): void {
    let taken: readonly Sighting[] = []
    for (const { present } of all) {
      const free = withoutOverlaps(present, taken)
      for (const sighting of free) edits.push(sighting)
      taken = inOrder([...taken, ...free])
    }
    for (const { absent } of all) {
      const free = withoutOverlaps(absent, taken)
      for (const { name } of free) missing.add(name)
      taken = inOrder([...taken, ...free])
    }
  }

  return {
    look(views) {
      const [first, ...others] = views
      if (first !== undefined && others.every((view) => view === first) && isPlain(first.text)) {
        // Nearly all places can be read in one way, and pages have hundreds of thousands of them.
        const sightings = sightingsIn(first)
        return sightings.length === 0 ? undefined : take([parted(inOrder(sightings))])
      }
      const known = new Set(views)
      const unbroken = views.map((view) => decodedView(view, lineBreaks)).filter((view) => !known.has(view))
      take([sightingsOf(views), sightingsOf(unbroken)])
    },
    replace: (edit) => void edits.push(edit),
    finish: (raw) => ({ text: applyEdits(raw, edits), missing: [...missing] }),
  }
}

/** Sorting is stable, so what is equal stays in the order of the views. */
const inOrder = (sightings: readonly Sighting[]): readonly Sighting[] =>
  sightings.toSorted((a, b) => a.start - b.start || b.end - a.end)

/** The sightings, in order, that neither overlap an earlier one nor any of `taken`; both are sorted. */
function withoutOverlaps<Kind extends Sighting>(
  sightings: readonly Kind[],
  taken: readonly Sighting[],
): readonly Kind[] {
  let done = 0
  let next = 0
  return sightings.filter(({ start, end }) => {
    while ((taken[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
    if (start < done || (taken[next]?.start ?? Number.POSITIVE_INFINITY) < end) return false
    done = end
    return true
  })
}
