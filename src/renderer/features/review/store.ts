import type { Answer, DecidedBefore, Verdict, WantedVerdict } from '@galley/library/records'
import type { VersionId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge, CallProblem } from '../../../ipc/calls.ts'
import type { DeskPage, DeskSide } from '../../../ipc/desk.ts'
import type { viewportWidths } from '../../../ipc/page-pictures.ts'
import type { PageEnd } from '../../../ipc/review-window.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'
import type { LayerMode } from '../../ui/layers.tsx'
import { behind, indexOfPage, isSamePage, takeOut, waitingPage } from './inbox.ts'
import type { InboxRows, InboxState, WaitingPage } from './inbox.ts'

/** A page is seen for this long before a key can approve it: a key that is held or pressed twice approves one page. */
const seenForMs = 300
const loadedAhead = 2
/** The rows around the page that is read are known, so that it can be left in both directions. */
const rowsAround = 10

/** How wide a page is for its layout; `fit`: as wide as its place. */
export type PageWidth = 'fit' | keyof typeof viewportWidths

/** What is compared as it is stored. */
export const sources = ['html', 'state', 'metadata'] as const
export type Source = (typeof sources)[number]

/** What is in the middle of the desk. */
export type Shown =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'loaded'
      readonly page: DeskPage
      readonly paintedAtMs: number | null
      readonly hasImages: boolean
    }
  | { readonly kind: 'failed'; readonly problem: CallProblem }
  | { readonly kind: 'died'; readonly why: PageEnd }

/** A decision of this visit, which can be taken back. */
export interface Decided {
  readonly row: WaitingPage
  readonly decision: Verdict['decision']
}

export interface DeskState {
  /** The page that is read, also when a newer version of it arrives; null: none. */
  readonly at: WaitingPage | null
  /** Its place in the list, from 0. */
  readonly index: number
  /** Its row with the newest version. */
  readonly newest: WaitingPage | null
  readonly shown: Shown
  /** The change that was gone to, from 0; null before the first. */
  readonly change: number | null
  /** The change whose files are shown; null: none. */
  readonly filesOf: number | null
  readonly side: DeskSide
  /** How pictures of both versions are laid above each other; null: the page itself is shown. */
  readonly layers: LayerMode | null
  /** What is compared in place of the page; null: the page itself is shown. */
  readonly source: Source | null
  readonly width: PageWidth
  /** Names of files of the page that the disk has lost. */
  readonly lost: readonly string[]
  /** Whether pages are shown as they would be published, inside the theme of their site. */
  readonly inTheme: boolean
  /** Whether the page is shown as it was, while a key is held. */
  readonly isHeld: boolean
  readonly decided: readonly Decided[]
  /** Whether the reason for requested changes is being written. */
  readonly isAsking: boolean
  readonly reason: string
  /** Whether to approve a version although there is a newer one, and whether that publishes it too. */
  readonly isAskingOld: boolean
  readonly isPublishing: boolean

  open(row: WaitingPage): void
  /** Loads the page again, with or without its images and videos. */
  reopen(hasImages?: boolean): void
  /** Shows the newer version that arrived. */
  showNewer(): void
  /** Compares the page that is read with another version of it. */
  compareWith(before: VersionId | null): void
  step(steps: 1 | -1): void
  goToChange(change: number): void
  stepChange(steps: 1 | -1): void
  /** Shows the files of a change, if it has some. */
  showFiles(change: number | null): void
  setSide(side: DeskSide): void
  setLayers(mode: LayerMode): void
  setSource(source: Source): void
  setWidth(width: PageWidth): void
  showInTheme(inTheme: boolean): void
  hold(isHeld: boolean): void
  /** Approves the page that is read, and publishes it alone if asked to. */
  approve(how?: { readonly mayBeOld?: boolean; readonly isPublishing?: boolean }): Promise<void>
  ask(isAsking: boolean): void
  typeReason(reason: string): void
  requestChanges(): Promise<void>
  /** Goes on behind pages that were approved together, unless they are brought back. */
  decidedTogether(pages: readonly WaitingPage[], isTakenBack?: boolean): void
  undo(): Promise<void>
}

/** The newer version of the page that is read, if one arrived. */
export const newerOf = ({ at, newest }: Pick<DeskState, 'at' | 'newest'>): WaitingPage | null =>
  at !== null && newest !== null && newest.after !== at.after ? newest : null

const pairOf = ({ site, materialId, before, after }: WaitingPage, inTheme: boolean) => ({
  site,
  materialId,
  before,
  after,
  inTheme,
})

const wanted = (verdict: Verdict | null): WantedVerdict =>
  verdict && { decision: verdict.decision, reason: verdict.reason }

export interface DeskPorts {
  readonly bridge: Bridge
  readonly rows: InboxRows
  /** What `rows` list. */
  readonly inbox: Pick<StoreApi<InboxState>, 'getState'>
  /** Asks for the name that decisions carry, once on this computer; resolves to whether there is one. */
  readonly named: () => Promise<boolean>
  /** A clock in milliseconds. */
  readonly clock: () => number
  /** Reports a decision that could not be stored. */
  readonly failed: (problem: CallProblem) => void
  /** Publishes a page that was approved. */
  readonly publish: (page: WaitingPage) => void
  /** The newest decision of the person here that still holds. */
  readonly lastDecision: () => Promise<DecidedBefore | null>
  /** Reports that a decision of an earlier visit was taken back, or null: that there is none. `again` makes it once more. */
  readonly tookBack: (page: WaitingPage | null, given: Verdict | null, again: () => void) => void
}

type Decidable = Pick<WaitingPage, 'site' | 'materialId' | 'after'>

type Store = Pick<StoreApi<DeskState>, 'setState' | 'getState'>

/** What is told of the page that is shown. */
function followPage({ setState: set, getState: get }: Store, { bridge, clock }: DeskPorts): void {
  bridge.on('deskPainted', ({ versionId }) => {
    const { at, shown } = get()
    if (at?.after === versionId && shown.kind === 'loaded') set({ shown: { ...shown, paintedAtMs: clock() } })
  })
  bridge.on('deskFileLost', ({ versionId, name }) => {
    const { at, lost } = get()
    if (at?.after === versionId) set({ lost: [...new Set([...lost, name])] })
  })
  bridge.on('deskLooked', ({ versionId, changes, marks }) => {
    const { at, shown } = get()
    if (at?.after !== versionId || shown.kind !== 'loaded' || shown.page.compared === null) return
    set({ shown: { ...shown, page: { ...shown.page, compared: { ...shown.page.compared, changes }, marks } } })
  })
  bridge.on('deskPageDied', ({ versionId, why }) => {
    if (get().at?.after === versionId) set({ shown: { kind: 'died', why } })
  })
}

/** Showing pages: one at a time, the latest request wins. */
function pageActions({ setState: set, getState: get }: Store, { bridge, rows }: DeskPorts) {
  const readAround = (index: number): void =>
    rows.getState().onVisible(Math.max(0, index - rowsAround), index + rowsAround)
  function open(row: WaitingPage | null, hasImages = true): void {
    const fresh = {
      change: null,
      filesOf: null,
      side: 'now',
      layers: null,
      source: null,
      lost: [],
      isHeld: false,
      isAsking: false,
      isAskingOld: false,
      isPublishing: false,
      // A reason that was given can be edited.
      reason: row?.verdict?.decision === 'changes_requested' ? row.verdict.reason : '',
    } as const
    set({ at: row, newest: row, shown: { kind: row === null ? 'none' : 'loading' }, ...fresh })
    if (row === null) return void bridge.call('leaveDesk', undefined).catch(() => null)
    const index = indexOfPage(rows.getState(), row) ?? get().index
    set({ index })
    readAround(index)
    void load(row, hasImages)
  }
  async function load(row: WaitingPage, hasImages: boolean): Promise<void> {
    const { inTheme } = get()
    const pair = (each: WaitingPage) => pairOf(each, inTheme)
    const next = behind(rows.getState(), row).slice(0, loadedAhead)
    const answer = await catchUnexpected(
      bridge.call('showDeskPage', { page: pair(row), next: next.map(pair), hasImages }),
    )
    if (get().at !== row || get().inTheme !== inTheme || (answer.ok && answer.value === null)) return
    // The reason was shown when its process ended.
    if (!answer.ok && get().shown.kind === 'died') return
    if (!answer.ok) return set({ shown: { kind: 'failed', problem: answer.failure } })
    if (answer.value === null) return
    const lost = [...new Set([...answer.value.lost, ...get().lost])]
    set({ lost, shown: { kind: 'loaded', page: answer.value, paintedAtMs: null, hasImages } })
  }

  const changes = (): number => {
    const { shown } = get()
    return shown.kind === 'loaded' ? (shown.page.compared?.changes.length ?? 0) : 0
  }
  const goToChange = (change: number): void => {
    if (change < 0 || change >= changes()) return
    set({ change })
    void bridge.call('goToDeskChange', { change })
  }
  return {
    open,
    reopen: (hasImages) => open(get().at, hasImages),
    showNewer() {
      const newer = newerOf(get())
      if (newer !== null) open(listed(rows, newer) ?? newer)
    },
    compareWith(before) {
      const { at, newest } = get()
      if (at === null) return
      open({ ...at, before })
      set({ newest })
    },
    showInTheme(inTheme) {
      const { at, newest } = get()
      set({ inTheme })
      if (at === null) return
      open(at)
      set({ newest })
    },
    step(steps) {
      const to = (indexOfPage(rows.getState(), get().at) ?? get().index) + steps
      const next = rows.getState().rows.get(to)
      if (next !== undefined) open(next)
      else if (to >= 0) readAround(to)
    },
    goToChange,
    stepChange(steps) {
      const { change } = get()
      goToChange(change === null ? (steps === 1 ? 0 : changes() - 1) : change + steps)
    },
  } satisfies Partial<DeskState> & { open(row: WaitingPage | null): void }
}

/** How the page that is read is shown. */
function viewActions({ setState: set, getState: get }: Store, { bridge }: DeskPorts) {
  const showSide = (side: DeskSide): void => void bridge.call('showDeskSide', { side })
  return {
    showFiles(change) {
      const { shown } = get()
      const of = shown.kind === 'loaded' && change !== null ? shown.page.compared?.changes[change] : undefined
      set({ filesOf: of === undefined || of.files.length === 0 ? null : change })
    },
    setSide(side) {
      const { at, isHeld } = get()
      if (at?.before == null) return
      set({ side, layers: null, source: null })
      if (!isHeld) showSide(side)
    },
    setLayers(layers) {
      if (get().at?.before != null) set({ layers, source: null })
    },
    setSource(source) {
      if (get().at?.before != null) set({ source })
    },
    setWidth: (width) => set({ width }),
    hold(isHeld) {
      const { at, isHeld: was, side, shown } = get()
      if (was === isHeld || (isHeld && (at?.before == null || shown.kind !== 'loaded'))) return
      set({ isHeld })
      showSide(isHeld ? 'before' : side)
    },
  } satisfies Partial<DeskState>
}

/** The entry of the list with this version. */
const listed = (rows: InboxRows, { after }: Pick<WaitingPage, 'after'>): WaitingPage | undefined =>
  [...rows.getState().rows.values()].find((row) => row.after === after)

/** Stores a decision. */
const decider =
  ({ bridge }: DeskPorts) =>
  (row: Decidable, verdict: WantedVerdict, mayBeOld: boolean): Promise<Answer<null>> => {
    const { site, materialId, after: versionId } = row
    return catchUnexpected(bridge.call('decideReview', { site, materialId, versionId, verdict, mayBeOld }))
  }

/** Decisions about the page that is read, after which the next one is shown. */
function decisionActions(
  { setState: set, getState: get }: Store,
  ports: DeskPorts,
  { open, readNewest }: { readonly open: (row: WaitingPage | null) => void; readonly readNewest: () => Promise<void> },
) {
  const { rows, inbox, named, clock, failed } = ports
  const decide = decider(ports)
  /** Whether a person can have seen what is shown. */
  const isSeen = (): boolean => {
    const { shown } = get()
    return shown.kind === 'loaded' && shown.paintedAtMs !== null && clock() - shown.paintedAtMs >= seenForMs
  }
  async function decideAndGoOn(
    { decision, reason }: { readonly decision: Verdict['decision']; readonly reason: string },
    { mayBeOld, isPublishing }: { readonly mayBeOld: boolean; readonly isPublishing: boolean },
  ): Promise<void> {
    const { at: row } = get()
    if (row === null || !(await named()) || get().at !== row) return
    // In a list of versions one goes on reading.
    const isStaying = inbox.getState().of !== null
    set({ decided: [...get().decided, { row, decision }] })
    if (isStaying) set({ isAsking: false, isAskingOld: false })
    else {
      const next = behind(rows.getState(), row)[0] ?? newerOf(get())
      takeOut(rows, row)
      open(next)
    }
    const answer = await decide(row, { decision, reason }, mayBeOld)
    if (!answer.ok) set({ decided: get().decided.filter((each) => each.row !== row) })
    if (isStaying || !answer.ok) await rows.getState().refresh()
    if (isStaying && get().at === row) {
      const { verdict = null } = listed(rows, row) ?? {}
      set({ at: { ...row, verdict } })
    }
    if (answer.ok) return isPublishing ? ports.publish(row) : undefined
    if (!isStaying) open(row)
    if (answer.failure.code !== 'moved_on') return failed(answer.failure)
    // A newer version arrived at the last moment, or this is an older one.
    await readNewest()
    set({ isAskingOld: true, isPublishing })
  }
  return {
    async approve({ mayBeOld = false, isPublishing = false } = {}) {
      if (!isSeen() || get().isAsking) return
      set({ isPublishing })
      if (newerOf(get()) !== null && !mayBeOld) return set({ isAskingOld: true })
      await decideAndGoOn({ decision: 'approved', reason: '' }, { mayBeOld, isPublishing })
    },
    ask(isAsking) {
      if (!isAsking || isSeen()) set({ isAsking })
    },
    typeReason: (reason) => set({ reason }),
    async requestChanges() {
      const reason = get().reason.trim()
      if (reason !== '' && get().isAsking)
        await decideAndGoOn({ decision: 'changes_requested', reason }, { mayBeOld: true, isPublishing: false })
    },
  } satisfies Partial<DeskState>
}

/** Takes decisions back: those of this visit, then those of earlier ones. */
function undoActions(
  { setState: set, getState: get }: Store,
  ports: DeskPorts,
  open: (row: WaitingPage | null) => void,
) {
  const { bridge, rows, failed } = ports
  const decide = decider(ports)
  /** Takes back a decision of an earlier visit, as the history has it. */
  async function undoEarlier(): Promise<void> {
    const last = await ports.lastDecision()
    if (last === null) return ports.tookBack(null, null, () => undefined)
    const { site, materialId, versionId: after, given, before } = last
    const version = { site, materialId, after }
    const answer = await decide(version, wanted(before), true)
    if (!answer.ok) return failed(answer.failure)
    const row = await bridge.call('reviewRow', { site, materialId }).catch(() => null)
    if (row === null) return
    ports.tookBack(waitingPage(row), given, () => {
      void decide(version, wanted(given), true).then((again) => again.ok || failed(again.failure))
    })
    await rows.getState().refresh()
    open(listed(rows, version) ?? waitingPage(row))
  }
  return {
    decidedTogether(pages, isTakenBack = false) {
      const isOne = (page: WaitingPage): boolean => pages.some((each) => isSamePage(each, page))
      const others = get().decided.filter(({ row }) => !isOne(row))
      if (isTakenBack) return set({ decided: others })
      const added = pages.map((row): Decided => ({ row, decision: 'approved' }))
      set({ decided: [...get().decided, ...added] })
      const { at } = get()
      const next = behind(rows.getState(), at).find((row) => !isOne(row)) ?? null
      for (const page of pages) takeOut(rows, page)
      if (at !== null && isOne(at)) open(next)
    },
    async undo() {
      const last = get().decided.at(-1)
      if (last === undefined) return undoEarlier()
      set({ decided: get().decided.slice(0, -1) })
      const answer = await decide(last.row, wanted(last.row.verdict), true)
      if (!answer.ok) {
        set({ decided: [...get().decided, last] })
        return failed(answer.failure)
      }
      await rows.getState().refresh()
      open(listed(rows, last.row) ?? last.row)
    },
  } satisfies Partial<DeskState>
}

/** The review desk: pages that wait, one of which is read. */
export function createDesk(ports: DeskPorts): StoreApi<DeskState> {
  const { bridge, rows, inbox } = ports
  const desk = createStore<DeskState>()((_set, get, store) => {
    /** Reads the newest version of the page; `isArrival`: unless an older one was opened on purpose. */
    const readNewest = async (isArrival = false): Promise<void> => {
      const { at } = get()
      if (at === null) return
      const { site, materialId } = at
      const row = await bridge.call('reviewRow', { site, materialId }).catch(() => null)
      const isKnown = isArrival && row?.version.versionId === inbox.getState().known
      if (get().at === at && row !== null && !isKnown) store.setState({ newest: waitingPage(row) })
    }
    const readArrived = oneAtATime(() => readNewest(true))
    const { open, ...pages } = pageActions(store, ports)
    followPage(store, ports)
    onChange(bridge, ['materials'], () => void readArrived())
    return {
      at: null,
      index: 0,
      newest: null,
      shown: { kind: 'none' },
      change: null,
      filesOf: null,
      side: 'now',
      layers: null,
      source: null,
      width: 'fit',
      lost: [],
      inTheme: false,
      isHeld: false,
      decided: [],
      isAsking: false,
      reason: '',
      isAskingOld: false,
      isPublishing: false,
      open,
      ...pages,
      ...viewActions(store, ports),
      ...decisionActions(store, ports, { open, readNewest }),
      ...undoActions(store, ports, open),
    }
  })
  // Another site, or the first time: its first page is opened. Pages that arrive later open nothing.
  rows.subscribe(({ kind, rows: read }, before) => {
    if (kind === before.kind) return
    if (kind === 'loading') return desk.setState({ at: null, newest: null, shown: { kind: 'none' }, decided: [] })
    const first = read.get(0)
    if (inbox.getState().of === null && kind === 'ready' && desk.getState().at === null && first !== undefined)
      desk.getState().open(first)
  })
  // Keys that a page does not use belong to the window, as if they were pressed there.
  bridge.on('deskKey', ({ isRepeated: repeat, ...pressed }) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { ...pressed, repeat, bubbles: true, cancelable: true })),
  )
  return desk
}

export const [useDesk, provideDesk, useDeskStore] = createStoreContext<DeskState>('desk')
