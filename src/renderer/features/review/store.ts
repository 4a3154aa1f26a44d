import type { Answer, Verdict, WantedVerdict } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge, CallProblem } from '../../../ipc/calls.ts'
import type { DeskPage, DeskSide, WaitingPage } from '../../../ipc/desk.ts'
import type { PageEnd } from '../../../ipc/review-window.ts'
import { catchUnexpected, itemsOf, viewOf } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'

/** A page is seen for this long before a key can approve it: a key that is held or pressed twice approves one page. */
const seenForMs = 300
const loadedAhead = 2

/** What is in the middle of the desk. */
export type Shown =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly page: DeskPage; readonly paintedAtMs: number | null }
  | { readonly kind: 'failed'; readonly problem: CallProblem }
  | { readonly kind: 'died'; readonly why: PageEnd }

/** A decision of this visit, which can be taken back. */
export interface Decided {
  readonly row: WaitingPage
  readonly decision: Verdict['decision']
}

export interface DeskState {
  readonly site: SiteId | null
  /** The pages that wait, and the one that is read even if a newer version of it arrived meanwhile. */
  readonly view: View<readonly WaitingPage[]>
  /** The page that is read; null: none. */
  readonly at: WaitingPage | null
  readonly shown: Shown
  /** The change that was gone to, from 0; null before the first. */
  readonly change: number | null
  readonly side: DeskSide
  /** Whether the page is shown as it was, while a key is held. */
  readonly isHeld: boolean
  readonly decided: readonly Decided[]
  /** Whether the reason for requested changes is being written. */
  readonly isAsking: boolean
  readonly reason: string
  /** Whether to approve a version although there is a newer one. */
  readonly isAskingOld: boolean

  show(site: SiteId): void
  load(): Promise<void>
  open(row: WaitingPage): void
  reopen(): void
  step(steps: 1 | -1): void
  goToChange(change: number): void
  stepChange(steps: 1 | -1): void
  setSide(side: DeskSide): void
  hold(isHeld: boolean): void
  approve(mayBeOld?: boolean): Promise<void>
  ask(isAsking: boolean): void
  typeReason(reason: string): void
  requestChanges(): Promise<void>
  undo(): Promise<void>
}

const isSame = (one: WaitingPage, other: WaitingPage | null): boolean =>
  one.site === other?.site && one.materialId === other.materialId

/** The newer version of the page that is read, if one arrived. */
export const newerOf = ({ view, at }: Pick<DeskState, 'view' | 'at'>): WaitingPage | null =>
  itemsOf(view).find((row) => isSame(row, at) && row.after !== at?.after) ?? null

/** The rows from this one on, around the end. */
function behind(rows: readonly WaitingPage[], row: WaitingPage | null): readonly WaitingPage[] {
  const at = rows.findIndex((each) => isSame(each, row))
  return at === -1 ? rows : [...rows.slice(at + 1), ...rows.slice(0, at)]
}

const pairOf = ({ site, materialId, before, after }: WaitingPage) => ({ site, materialId, before, after })

interface Ports {
  readonly bridge: Bridge
  /** A clock in milliseconds. */
  readonly clock: () => number
  /** Reports a decision that could not be stored. */
  readonly failed: (problem: CallProblem) => void
}

type Store = Pick<StoreApi<DeskState>, 'setState' | 'getState'>

/** Showing pages: one at a time, the latest request wins. */
function pageActions({ setState: set, getState: get }: Store, { bridge, clock }: Ports) {
  function open(row: WaitingPage | null): void {
    const fresh = { change: null, side: 'now', isHeld: false, isAsking: false, isAskingOld: false, reason: '' } as const
    set({ at: row, shown: { kind: row === null ? 'none' : 'loading' }, ...fresh })
    if (row === null) return void bridge.call('leaveDesk', undefined).catch(() => null)
    void load(row)
  }
  async function load(row: WaitingPage): Promise<void> {
    const next = behind(itemsOf(get().view), row).slice(0, loadedAhead)
    const answer = await catchUnexpected(
      bridge.call('showDeskPage', { page: pairOf(row), next: next.map((each) => pairOf(each)) }),
    )
    if (get().at !== row || (answer.ok && answer.value === null)) return
    if (!answer.ok) return set({ shown: { kind: 'failed', problem: answer.failure } })
    if (answer.value !== null) set({ shown: { kind: 'loaded', page: answer.value, paintedAtMs: null } })
  }
  bridge.on('deskPainted', ({ versionId }) => {
    const { at, shown } = get()
    if (at?.after === versionId && shown.kind === 'loaded') set({ shown: { ...shown, paintedAtMs: clock() } })
  })
  bridge.on('deskPageDied', ({ versionId, why }) => {
    if (get().at?.after === versionId) set({ shown: { kind: 'died', why } })
  })

  const changes = (): number => {
    const { shown } = get()
    return shown.kind === 'loaded' ? (shown.page.compared?.changes.length ?? 0) : 0
  }
  const goToChange = (change: number): void => {
    if (change < 0 || change >= changes()) return
    set({ change })
    void bridge.call('goToDeskChange', { change })
  }
  const showSide = (side: DeskSide): void => void bridge.call('showDeskSide', { side })
  return {
    open,
    reopen: () => open(get().at),
    step(steps) {
      const rows = itemsOf(get().view)
      const at = rows.findIndex((row) => isSame(row, get().at))
      const next = rows[at + steps]
      if (next !== undefined) open(next)
    },
    goToChange,
    stepChange(steps) {
      const { change } = get()
      goToChange(change === null ? (steps === 1 ? 0 : changes() - 1) : change + steps)
    },
    setSide(side) {
      const { at, isHeld } = get()
      if (at?.before == null) return
      set({ side })
      if (!isHeld) showSide(side)
    },
    hold(isHeld) {
      const { at, isHeld: was, side, shown } = get()
      if (was === isHeld || (isHeld && (at?.before == null || shown.kind !== 'loaded'))) return
      set({ isHeld })
      showSide(isHeld ? 'before' : side)
    },
  } satisfies Partial<DeskState> & { open(row: WaitingPage | null): void }
}

/** Decisions about the page that is read, after which the next one is shown. */
function decisionActions(
  { setState: set, getState: get }: Store,
  ports: Ports,
  open: (row: WaitingPage | null) => void,
) {
  const { bridge, clock, failed } = ports
  const decide = (row: WaitingPage, verdict: WantedVerdict): Promise<Answer<null>> =>
    catchUnexpected(
      bridge.call('setFields', {
        record: 'version',
        site: row.site,
        of: [{ materialId: row.materialId, versionId: row.after }],
        set: { verdict },
      }),
    )
  /** Whether a person can have seen what is shown. */
  const isSeen = (): boolean => {
    const { shown } = get()
    return shown.kind === 'loaded' && shown.paintedAtMs !== null && clock() - shown.paintedAtMs >= seenForMs
  }
  async function decideAndGoOn(decision: Verdict['decision'], reason: string): Promise<void> {
    const { at: row, view } = get()
    if (row === null) return
    const rows = itemsOf(view)
    const left = rows.filter((each) => !isSame(each, row) || each.after !== row.after)
    set({ view: { kind: 'ready', items: left }, decided: [...get().decided, { row, decision }] })
    open(behind(rows, row)[0] ?? left[0] ?? null)
    const answer = await decide(row, { decision, reason })
    if (answer.ok) return
    failed(answer.failure)
    set({ decided: get().decided.filter((each) => each.row !== row) })
    await get().load()
    open(row)
  }
  return {
    async approve(mayBeOld = false) {
      if (!isSeen() || get().isAsking) return
      if (newerOf(get()) !== null && !mayBeOld) return set({ isAskingOld: true })
      await decideAndGoOn('approved', '')
    },
    ask(isAsking) {
      if (!isAsking || isSeen()) set({ isAsking })
    },
    typeReason: (reason) => set({ reason }),
    async requestChanges() {
      const reason = get().reason.trim()
      if (reason !== '' && get().isAsking) await decideAndGoOn('changes_requested', reason)
    },
    async undo() {
      const last = get().decided.at(-1)
      if (last === undefined) return
      set({ decided: get().decided.slice(0, -1) })
      const answer = await decide(last.row, null)
      if (!answer.ok) {
        set({ decided: [...get().decided, last] })
        return failed(answer.failure)
      }
      await get().load()
      open(last.row)
    },
  } satisfies Partial<DeskState>
}

/** The review desk: pages that wait, one of which is read. */
export function createDesk(ports: Ports): StoreApi<DeskState> {
  const { bridge } = ports
  const desk = createStore<DeskState>()((set, get, store) => {
    const { open, ...pages } = pageActions(store, ports)
    const read = oneAtATime(async () => {
      const { site } = get()
      if (site === null) return
      const view = await viewOf(bridge.call('waitingPages', { site }))
      if (get().site !== site) return
      const { view: before, at } = get()
      // A failed refresh keeps what is already visible.
      if (view.kind === 'failed' && before.kind === 'ready') return
      set({ view })
      if (at === null && before.kind !== 'ready') open(itemsOf(view)[0] ?? null)
    })
    return {
      site: null,
      view: { kind: 'loading' },
      at: null,
      shown: { kind: 'none' },
      change: null,
      side: 'now',
      isHeld: false,
      decided: [],
      isAsking: false,
      reason: '',
      isAskingOld: false,
      show(site) {
        if (site === get().site) return
        set({ site, view: { kind: 'loading' }, at: null, shown: { kind: 'none' }, decided: [] })
        void read()
      },
      load: read,
      open,
      ...pages,
      ...decisionActions(store, ports, open),
    }
  })
  onChange(bridge, ['materials', 'marks', 'targets'], () => void desk.getState().load())
  // Keys that a page does not use belong to the window, as if they were pressed there.
  bridge.on('deskKey', ({ isRepeated: repeat, ...pressed }) =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { ...pressed, repeat, bubbles: true, cancelable: true })),
  )
  return desk
}

export const [useDesk, provideDesk, useDeskStore] = createStoreContext<DeskState>('desk')
