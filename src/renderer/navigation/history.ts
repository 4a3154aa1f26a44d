import type { Section } from '@galley/library/records'
import type { SiteId } from '@galley/wire'

import type { PublishTab, View } from './view.ts'
import { initialTab, initialViewOf, listOf, sectionOf } from './view.ts'

/** A location in the window: a site and a view of it. */
export interface HistoryEntry {
  readonly site: SiteId | null
  readonly view: View
}

/** Visited locations, newest last, and the index of the current one. */
export interface History {
  readonly entries: readonly HistoryEntry[]
  readonly at: number
}

const maxEntries = 100

export const historyAt = (entry: HistoryEntry): History => ({ entries: [entry], at: 0 })

export const currentEntry = ({ entries, at }: History): HistoryEntry => {
  const entry = entries[at]
  if (entry === undefined) throw new Error('The history has no entry at its own position')
  return entry
}

const isSame = (one: HistoryEntry | undefined, other: HistoryEntry): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Goes to a new location and drops the forward entries, as in a browser. The current one again is no new location. */
export function visited(history: History, entry: HistoryEntry): History {
  if (isSame(currentEntry(history), entry)) return history
  const entries = [...history.entries.slice(0, history.at + 1), entry].slice(-maxEntries)
  return { entries, at: entries.length - 1 }
}

/** Changes the selection without a history entry: walking through a list is one entry, not a hundred. */
export function withSelection(history: History, view: View): History {
  return {
    ...history,
    entries: history.entries.map((entry, at) => (at === history.at ? { ...entry, view } : entry)),
  }
}

/** Goes to the list of the current view without a new entry, and back to the entry before if that is the same list. */
export function atList(history: History): History {
  const { entries, at } = history
  const now = currentEntry(history)
  const list = listOf(now.view)
  if (list === now.view) return history
  const isBefore = isSame(entries[at - 1], { ...now, view: list })
  return isBefore ? { entries: entries.slice(0, at), at: at - 1 } : withSelection(history, list)
}

/** One step back or forward; unchanged at either end. */
export function stepped(history: History, step: -1 | 1): History {
  const at = history.at + step
  return at >= 0 && at < history.entries.length ? { ...history, at } : history
}

/** The last view of a section on a site: returning to it shows the same material, callback or settings section. */
export const lastIn = (history: History, site: SiteId | null, section: Section): View =>
  lastOn(history, site, (view) => sectionOf(view) === section) ?? initialViewOf(section)

/** The last view of a tab of the publish section on a site. */
export const lastOfTab = (history: History, site: SiteId | null, tab: PublishTab): View =>
  lastOn(history, site, (view) => view.screen === 'publish' && view.tab === tab) ?? initialTab(tab)

const lastOn = ({ entries, at }: History, site: SiteId | null, fits: (view: View) => boolean): View | undefined =>
  entries.slice(0, at + 1).findLast((entry) => entry.site === site && fits(entry.view))?.view
