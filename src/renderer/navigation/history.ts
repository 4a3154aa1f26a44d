import type { Section } from '../../contract/domain/sections.ts'
import type { PublishTab, View } from './view.ts'
import { initialTab, initialViewOf, sectionOf } from './view.ts'

/** A location in the window: a site and a view of it. */
export interface Place {
  readonly site: string | null
  readonly view: View
}

/** Visited locations, newest last, and the index of the current one. */
export interface History {
  readonly places: readonly Place[]
  readonly at: number
}

const maxPlaces = 100

export const historyAt = (place: Place): History => ({ places: [place], at: 0 })

export const currentPlace = ({ places, at }: History): Place => {
  const place = places[at]
  if (place === undefined) throw new Error('The history has no place at its own position')
  return place
}

/** Goes to a new location and drops the forward entries, as in a browser. */
export function visited(history: History, place: Place): History {
  const places = [...history.places.slice(0, history.at + 1), place].slice(-maxPlaces)
  return { places, at: places.length - 1 }
}

/** Changes the selection without a history entry: walking through a list is one entry, not a hundred. */
export function withSelection(history: History, view: View): History {
  return {
    ...history,
    places: history.places.map((place, at) => (at === history.at ? { ...place, view } : place)),
  }
}

/** One step back or forward; unchanged at either end. */
export function stepped(history: History, step: -1 | 1): History {
  const at = history.at + step
  return at >= 0 && at < history.places.length ? { ...history, at } : history
}

/** The last view of a section on a site: returning to it shows the same material, callback or settings section. */
export const lastIn = (history: History, site: string | null, section: Section): View =>
  lastOn(history, site, (view) => sectionOf(view) === section) ?? initialViewOf(section)

/** The last view of a tab of the publish section on a site. */
export const lastOfTab = (history: History, site: string | null, tab: PublishTab): View =>
  lastOn(history, site, (view) => view.screen === 'publish' && view.tab === tab) ?? initialTab(tab)

const lastOn = ({ places, at }: History, site: string | null, fits: (view: View) => boolean): View | undefined =>
  places.slice(0, at + 1).findLast((place) => place.site === site && fits(place.view))?.view
