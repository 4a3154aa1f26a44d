import type { Section, View } from './view.ts'
import { entranceOf, sectionOf } from './view.ts'

/** Where the window is: a site and a view of it. */
export interface Place {
  readonly site: string | null
  readonly view: View
}

/** The places visited, newest last, and which of them is shown. */
export interface History {
  readonly places: readonly Place[]
  readonly at: number
}

const keptPlaces = 100

/** A history that begins here. */
export const historyAt = (place: Place): History => ({ places: [place], at: 0 })

/** The place that is shown. */
export const placeNow = ({ places, at }: History): Place => {
  const place = places[at]
  if (place === undefined) throw new Error('The history has no place at its own position')
  return place
}

/** Goes to a new place; what lay ahead is forgotten, as in a browser. */
export function visited(history: History, place: Place): History {
  const places = [...history.places.slice(0, history.at + 1), place].slice(-keptPlaces)
  return { places, at: places.length - 1 }
}

/** Changes what is chosen without a step in the history: walking through a list is one place, not a hundred. */
export function amended(history: History, view: View): History {
  return {
    ...history,
    places: history.places.map((place, at) => (at === history.at ? { ...place, view } : place)),
  }
}

/** One step back or forward, or the same history at its end. */
export function stepped(history: History, step: -1 | 1): History {
  const at = history.at + step
  return at >= 0 && at < history.places.length ? { ...history, at } : history
}

/** How a section was last left on a site: going there again shows the same material, callback or settings part. */
export function lastIn({ places, at }: History, site: string | null, section: Section): View {
  const before = places.slice(0, at + 1).findLast((place) => place.site === site && sectionOf(place.view) === section)
  return before?.view ?? entranceOf(section)
}
