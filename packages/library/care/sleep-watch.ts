import { isStorageFault, storageReason } from '@galley/platform'
import type { SiteId } from '@galley/wire'

import type { Index, IndexReads } from '../db/library-index.ts'
import { isSampleSite } from '../records/site.ts'
import type { ListeningGap } from '../views/materials.ts'

const name = 'sleep-gaps'
/** The setting with the last time at which this library was listening. */
const aliveName = 'listening-until'
const gapsKept = 20
const tickMs = 10_000
/** If the process did not run for longer than this, the computer and the listener were asleep. */
const asleepMs = 60_000
/** How often `aliveName` is written. A restart may take as long again. */
const aliveMs = 60_000
const closedMs = 2 * aliveMs
/** A page that was opened within this time before a gap was probably still being edited. */
const editingMs = 24 * 3_600_000
const pagesNamed = 50
const shownMs = 7 * 24 * 3_600_000

type Settings = Pick<Index['settings'], 'get' | 'put'>
export type GapPorts = Pick<IndexReads, 'sites' | 'materials'> & { readonly settings: Settings }

const readGaps = (settings: Settings): readonly ListeningGap[] =>
  JSON.parse(settings.get(name) ?? '[]') as ListeningGap[]

/** Clears the known gaps. Later ones are reported again. */
export const forgetSleepGaps = (settings: Settings): void => settings.put(name, '[]')

/** The last gap within a week in which pages of a site were being edited, with those pages; null if there is none. */
export function editedGap(settings: Settings, site: SiteId, nowMs: number): ListeningGap | null {
  const gaps = readGaps(settings)
    .filter(({ to }) => nowMs - Date.parse(to) < shownMs)
    .map((gap) => ({ ...gap, pages: gap.pages.filter((page) => page.site === site) }))
  return gaps.findLast(({ pages }) => pages.length > 0) ?? null
}

/** The pages that were opened in the editor between two moments, the last one first. The sample's service ends with Galley. */
const editedPages = ({ sites, materials }: GapPorts, fromMs: number, toMs: number): ListeningGap['pages'] =>
  sites
    .list()
    .filter((site) => !isSampleSite(site))
    .flatMap(({ id }) =>
      materials.openedBetween(id, new Date(fromMs).toISOString(), new Date(toMs).toISOString(), pagesNamed),
    )

/** Detects that the computer was asleep or Galley closed, so that callbacks were not answered. */
export function createSleepWatch(index: GapPorts, nowMs: () => number, log: (line: string) => void) {
  const { settings } = index
  let lastMs = nowMs()
  let aliveAtMs = Number.NEGATIVE_INFINITY

  function guarded(write: () => void): void {
    try {
      write()
    } catch (error) {
      if (!isStorageFault(error)) throw error
      log(`this could not be recorded: ${storageReason(error)}`)
    }
  }
  function record(kind: ListeningGap['kind'], fromMs: number, toMs: number): void {
    const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]
    log(`${kind} from ${from} to ${to}: callbacks sent during that time did not arrive`)
    guarded(() => {
      const gap: ListeningGap = { kind, from, to, pages: editedPages(index, fromMs - editingMs, fromMs) }
      settings.put(name, JSON.stringify([...readGaps(settings), gap].slice(-gapsKept)))
    })
  }
  const stayAlive = (): void => {
    aliveAtMs = lastMs
    guarded(() => settings.put(aliveName, String(lastMs)))
  }
  const tick = (): void => {
    const [from, to] = [lastMs, nowMs()]
    lastMs = to
    if (to - from >= asleepMs) record('asleep', from, to)
    if (to - aliveAtMs >= aliveMs) stayAlive()
  }
  /** A library in which nothing was open to be saved has missed nothing. */
  function reportClosed(): void {
    const until = Number(settings.get(aliveName) ?? Number.NaN)
    if (!(lastMs - until >= closedMs)) return
    const isOpen = index.sites
      .list()
      .some((site) => !isSampleSite(site) && index.materials.hasSession(site.id, new Date(until)))
    if (isOpen) record('closed', until, lastMs)
  }
  let timer: NodeJS.Timeout | null = null
  return {
    read: () => readGaps(settings),
    tick,
    start(): void {
      lastMs = nowMs()
      if (timer === null) reportClosed()
      stayAlive()
      timer ??= setInterval(tick, tickMs).unref()
    },
    stop(): void {
      if (timer === null) return
      clearInterval(timer)
      timer = null
      tick()
      stayAlive()
    },
  }
}
